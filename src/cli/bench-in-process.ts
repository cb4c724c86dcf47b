import { loadConfig } from '../config/config.ts';
import { createContext } from '../context.ts';
import { createGraphQLServer } from '../http/graphql.ts';
import { FIRST, inRounds, type Query, type Rounds } from './bench-queries.ts';
import { askReference, prepareReference } from './bench-reference.ts';
import { quantile } from './measure.ts';
import { RECALL } from './memory-client.ts';

/** Through the executor without a network between, and the reference beside: p50 of each round. */
export async function measureInProcess(
  env: Record<string, string>,
  apiKey: string,
  queries: readonly Query[],
  options: Rounds,
  embedder: string,
) {
  const ctx = await createContext(loadConfig({ LOG_LEVEL: 'warn', ...env }));
  const graphql = createGraphQLServer(ctx);
  try {
    await prepareReference(ctx.db);
    const recallTimes = await inRounds(queries, options, async ({ userId, text, vector }) => {
      const kinds = ['TURN'];
      const input = {
        userId,
        query: text,
        first: FIRST,
        kinds,
        vector: { embedder, values: vector },
      };
      const response = await graphql.fetch('http://bench.local/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ query: RECALL, variables: { input } }),
      });
      const body = await response.text();
      if (!body.includes('"hits"')) throw new Error(body);
    });
    const referenceTimes = await inRounds(queries, options, ({ userId, text, vector }) =>
      askReference(ctx.db, userId, { text, vector, first: FIRST }, embedder),
    );
    const p50 = (rounds: number[][]) => rounds.map((times) => quantile(times, 0.5));
    return { recallMs: p50(recallTimes), referenceMs: p50(referenceTimes) };
  } finally {
    await graphql.dispose();
    await ctx[Symbol.asyncDispose]();
  }
}
