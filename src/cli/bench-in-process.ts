import { loadConfig } from '../config/config.ts';
import { type Context, createContext } from '../context.ts';
import { createGraphQLServer } from '../http/graphql.ts';
import { fillBeside } from './bench-beside.ts';
import { FIRST, inRounds, type Query, type Rounds } from './bench-queries.ts';
import { askReference, prepareReference, type StoredAs } from './bench-reference.ts';
import { quantile } from './measure.ts';
import { RECALL } from './memory-client.ts';

type Kinds = readonly string[] | null;

/** Through the executor without a network between, and the reference beside: p50 of each round. */
export async function measureInProcess(
  env: Record<string, string>,
  apiKey: string,
  queries: readonly Query[],
  options: Rounds & { beside?: number },
  embedder: string,
) {
  const turns = await timeRecalls(env, apiKey, queries, options, embedder, ['TURN']);
  const all = await timeRecalls(env, apiKey, queries, options, embedder, null);
  const dimension = queries[0]?.vector.length ?? 0;
  await inContext(env, ({ db }) => prepareReference(db, dimension, embedder));
  const timeReference = (stored: StoredAs) =>
    inContext(env, ({ db }) =>
      inRounds(queries, options, ({ userId, text, vector }) =>
        askReference(db, stored, userId, { text, vector, first: FIRST }),
      ),
    );
  const reference = await timeReference('vector');
  const halved = await timeReference('halfvec');
  const { beside } = options;
  if (beside) await inContext(env, ({ db }) => fillBeside(db, queries[0]?.userId ?? '', beside));
  const crowded = beside
    ? await timeRecalls(env, apiKey, queries, options, embedder, null)
    : undefined;
  return {
    recallMs: medians(turns),
    allKindsMs: medians(all),
    referenceMs: medians(reference),
    halfvecReferenceMs: medians(halved),
    ...(crowded ? { besideMs: medians(crowded) } : {}),
  };
}

const medians = (rounds: number[][]): number[] => rounds.map((times) => quantile(times, 0.5));

async function inContext<T>(
  env: Record<string, string>,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const ctx = await createContext(loadConfig({ LOG_LEVEL: 'warn', ...env }));
  try {
    return await work(ctx);
  } finally {
    await ctx[Symbol.asyncDispose]();
  }
}

/** Milliseconds of each recall, by round; `kinds` null = of all kinds. */
const timeRecalls = (
  env: Record<string, string>,
  apiKey: string,
  queries: readonly Query[],
  options: Rounds,
  embedder: string,
  kinds: Kinds,
): Promise<number[][]> =>
  inContext(env, async (ctx) => {
    const graphql = createGraphQLServer(ctx);
    const times = await inRounds(queries, options, async ({ userId, text, vector }) => {
      const given = { embedder, values: vector };
      const input = { userId, query: text, first: FIRST, vector: given, ...(kinds && { kinds }) };
      const response = await graphql.fetch('http://bench.local/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ query: RECALL, variables: { input } }),
      });
      const body = await response.text();
      if (!body.includes('"hits"')) throw new Error(body);
    });
    await graphql.dispose();
    return times;
  });
