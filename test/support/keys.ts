import { createApiKey } from '../../src/auth/api-keys.ts';
import type { Access } from '../../src/domain/core/viewer.ts';
import type { TestServer } from './server.ts';

/** Creates a key, and returns it with a client of the real server that uses it. */
export async function keyFor(server: TestServer, userId: string | null, access: Access) {
  const name = `${userId} ${access}`;
  const { key, secret } = await createApiKey(server.world.ctx, name, { userId, access });
  const headers = { authorization: `Bearer ${secret}` };
  const post = async (query: string, variables: object = {}) =>
    (await server.post({ query, variables }, headers)).body as {
      data?: Record<string, never>;
      errors?: { message: string; extensions: { code: string } }[];
    };
  return { key, secret, headers, post, client: server.world.client(headers.authorization) };
}
