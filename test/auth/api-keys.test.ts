import { expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createApiKey, revokeApiKey, rotateApiKey } from '../../src/auth/api-keys.ts';
import {
  accepted,
  closedWith,
  createTestServer,
  serve,
  type TestServer,
} from '../support/server.ts';

const KEYS = { query: '{ apiKeys { name previousUntil } }' };
const ROTATE = `mutation ($id: ID!, $grace: Int) { rotateApiKey(id: $id, graceMinutes: $grace) {
  ... on CreatedApiKey { secret key { name } } ... on Error { code message } } }`;
type Rotated = { rotateApiKey: { secret: string; code?: string; message?: string } };
type Served = Pick<TestServer, 'post' | 'origin'>;

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const statusOf = async (server: Pick<Served, 'post'>, secret: string) =>
  (await server.post(KEYS, bearer(secret))).status;

it('a rotated key has a new secret at once, and the old secret ends at once or after its grace period', async () => {
  await using server = await createTestServer();
  const { key, secret } = await createApiKey(server.world.ctx, 'app');
  const rotate = async (by: string, grace?: number, id = key.id) => {
    const answer = await server.post({ query: ROTATE, variables: { id, grace } }, bearer(by));
    return (answer.body.data as unknown as Rotated).rotateApiKey;
  };
  expect(await statusOf(server, secret)).toBe(200);
  const second = await rotate(secret);
  expect(await statusOf(server, secret)).toBe(401);
  expect(await statusOf(server, second.secret)).toBe(200);

  const third = await rotate(second.secret, 10);
  expect(await statusOf(server, second.secret)).toBe(200);
  expect(await statusOf(server, third.secret)).toBe(200);
  const answer = await server.post(KEYS, bearer(third.secret));
  expect(answer.body.data).toEqual({
    apiKeys: [{ name: 'app', previousUntil: expect.stringMatching(/Z$/) }],
  });
  // The grace is over.
  await server.world.ctx.db.pool.query(
    "UPDATE api_keys SET previous_until = now() - interval '1 s'",
  );
  server.world.ctx.publisher.publish(null);
  expect(await statusOf(server, second.secret)).toBe(401);
  expect(await statusOf(server, third.secret)).toBe(200);

  expect(await rotate(third.secret, -1)).toMatchObject({ code: 'INVALID_INPUT' });
  await revokeApiKey(server.world.ctx, key.id);
  expect(await statusOf(server, third.secret)).toBe(401);
  const { secret: other } = await createApiKey(server.world.ctx, 'other');
  expect(await rotate(other)).toMatchObject({ code: 'NOT_FOUND' });
});

it('a connection with the old secret is closed when the grace period ends', async () => {
  await using server = await createTestServer();
  const { key, secret } = await createApiKey(server.world.ctx, 'app');
  await rotateApiKey(server.world.ctx, key.id, 10);
  await server.world.ctx.db.pool.query(
    "UPDATE api_keys SET previous_until = now() + interval '1 s'",
  );
  const started = performance.now();
  expect(await closedWith(server, bearer(secret))).toEqual([
    4403,
    'This API key does not exist or was revoked.',
  ]);
  // By its own timer, long before the next check of all connections.
  expect(performance.now() - started).toBeLessThan(25_000);
});

it('creating the first key closes connections without credentials', async () => {
  await using server = await createTestServer({ JWT_SECRET: '' });
  const { closed } = await accepted(server, {});
  await createApiKey(server.world.ctx, 'first');
  expect(await closed).toMatchObject([4403, expect.stringContaining('Send "Authorization')]);
});

it('a revocation takes effect on all processes at once', async () => {
  await using server = await createTestServer();
  const { config, db, clock } = server.world.ctx;
  const { embedded } = db;
  // The embedded database has one process: then both contexts are told by the same publisher.
  const { connectionString } = db.pool.options;
  await using second = await createApp(config, {
    connection: { connection: connectionString ? { connectionString } : db.pool.options, embedded },
    clock,
  });
  const other = await serve(
    embedded ? { ...second, publisher: server.world.ctx.publisher } : second,
  );
  const { key, secret } = await createApiKey(server.world.ctx, 'app');
  for (const each of [server, other]) expect(await statusOf(each, secret)).toBe(200);
  const { closed } = await accepted(other, bearer(secret));
  // By notification: no time passes after which a key would be looked up again by itself.
  using _frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  expect(await statusOf(other, secret)).toBe(200);
  await revokeApiKey(server.world.ctx, key.id);
  expect(await statusOf(server, secret)).toBe(401);
  await expect.poll(() => statusOf(other, secret), { interval: 5 }).toBe(401);
  expect(await closed).toMatchObject([4403, 'This API key does not exist or was revoked.']);
  await other.stop();
});
