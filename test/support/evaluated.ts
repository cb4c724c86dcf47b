import { createMemory } from '@mnemograph/client';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { createGraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { createTestServer } from './server.ts';

/** Serves a world with all of its language work, with the clients by which the tools evaluate a server. */
export async function createEvaluated() {
  const server = await createTestServer({ EMBEDDER: 'built-in' });
  const { origin, world } = server;
  const { secret: apiKey } = await createApiKey(world.ctx, 'evaluation');
  const client = createGraphQLClient(`${origin}/graphql`, apiKey);
  return {
    world,
    request: client.request,
    memory: createMemory({ url: origin, apiKey }),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
