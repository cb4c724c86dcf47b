import { createMemory } from '@mnemograph/client';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { createGraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import type { Opening } from '../../tools/eval/opened.ts';
import { createTestServer } from './server.ts';
import { sharedEmbedder } from './shared.ts';

/**
 * Serves a world with all of its language work, with the clients by which the tools evaluate a server. Its clock is that of this
 * machine, as for the tools. What a tool waits for is done after it has looked: each `request` then runs the work that is due.
 */
async function startServer({ env = {} }: { env?: Record<string, string> } = {}) {
  const settings = { EMBEDDER: 'built-in', ...env };
  const server = await createTestServer(settings, { clock: () => new Date() });
  const { origin, world } = server;
  const { secret: apiKey } = await createApiKey(world.ctx, 'evaluation');
  const client = createGraphQLClient(`${origin}/graphql`, apiKey);
  return {
    async request<Data>(query: string, variables?: Record<string, unknown>): Promise<Data> {
      const answer = await client.request<Data>(query, variables);
      await world.settle();
      return answer;
    },
    memory: createMemory({ url: origin, apiKey }),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What an evaluation opens, in this process. */
export const IN_PROCESS: Opening = {
  startServer,
  openEmbedder: () => ({ ...sharedEmbedder(), [Symbol.asyncDispose]: async () => undefined }),
};
