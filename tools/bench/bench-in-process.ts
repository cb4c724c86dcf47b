import { type App, createApp } from '../../src/app.ts';
import { RECALL } from '../../src/cli/support/memory-client.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createGraphQLServer } from '../../src/http/graphql.ts';
import { recall } from '../../src/recall/recall.ts';
import { quantile } from '../support/measure.ts';
import { fillBeside } from './bench-beside.ts';
import { FIRST, inRoundsBeside, type Query, type Rounds } from './bench-queries.ts';
import { askReference, prepareReference } from './bench-reference.ts';

type Kinds = readonly string[] | null;

/** The p50 of each round, in milliseconds. */
export type InProcess = Record<
  'recall' | 'allKinds' | 'graph' | 'graphAllKinds' | 'reference' | 'vectorReference',
  number[]
> & { beside?: number[] };

/**
 * Measures recalls without a network (by the function behind the GraphQL field, and through GraphQL) and the reference
 * queries. Each round runs all of them in turn, so that other load affects all alike.
 */
export async function measureInProcess(
  env: Record<string, string>,
  apiKey: string,
  queries: readonly Query[],
  options: Rounds & { beside?: number },
  embedder: string,
): Promise<InProcess> {
  const { beside } = options;
  const dimension = queries[0]?.vector.length ?? 0;
  await inContext(env, ({ db }) => prepareReference(db, dimension, embedder));
  const found = await inContext(env, async (ctx) => {
    await using graph = throughGraph(ctx, apiKey, embedder);
    const reference = (stored: 'vector' | 'halfvec') => (query: Query) =>
      askReference(ctx.db, stored, query.userId, { ...query, first: FIRST });
    return inRoundsBeside(queries, options, {
      recall: byFunction(ctx, embedder, ['TURN']),
      allKinds: byFunction(ctx, embedder, null),
      graph: graph.ask(['TURN']),
      graphAllKinds: graph.ask(null),
      reference: reference('halfvec'),
      vectorReference: reference('vector'),
    });
  });
  if (!beside) return medians(found);
  await inContext(env, ({ db }) => fillBeside(db, queries[0]?.userId ?? '', beside));
  const crowded = await inContext(env, (ctx) =>
    inRoundsBeside(queries, options, { beside: byFunction(ctx, embedder, null) }),
  );
  return medians({ ...found, ...crowded });
}

const medians = <Name extends string>(rounds: Record<Name, number[][]>): Record<Name, number[]> =>
  Object.fromEntries(
    Object.entries<number[][]>(rounds).map(([name, own]) => [
      name,
      own.map((times) => quantile(times, 0.5)),
    ]),
  ) as Record<Name, number[]>;

async function inContext<T>(
  env: Record<string, string>,
  work: (ctx: App) => Promise<T>,
): Promise<T> {
  await using ctx = await createApp(loadConfig({ LOG_LEVEL: 'warn', ...env }));
  return await work(ctx);
}

const inputOf = ({ text, vector }: Query, embedder: string, kinds: Kinds) => ({
  query: text,
  first: FIRST,
  vector: { embedder, values: vector },
  ...(kinds && { kinds }),
});

const byFunction =
  (ctx: App, embedder: string, kinds: Kinds) =>
  (query: Query): Promise<unknown> =>
    recall(ctx, query.userId, {
      input: inputOf(query, embedder, kinds),
      threadIds: null,
      shownIn: null,
      isMessage: false,
    });

/** Recalls through the GraphQL executor, from the bytes of a request to those of the response. */
function throughGraph(ctx: App, apiKey: string, embedder: string) {
  const graphql = createGraphQLServer(ctx);
  return {
    ask: (kinds: Kinds) => async (query: Query) => {
      const input = { userId: query.userId, ...inputOf(query, embedder, kinds) };
      const response = await graphql.fetch('http://bench.local/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ query: RECALL, variables: { input } }),
      });
      const body = await response.text();
      if (!body.includes('"hits"')) throw new Error(body);
    },
    [Symbol.asyncDispose]: async () => {
      await graphql.dispose();
    },
  };
}
