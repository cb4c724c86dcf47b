import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/auth/api-keys.ts';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ RATE_LIMIT_FAILED_AUTH: '3' });
});
afterAll(() => server[Symbol.asyncDispose]());

const EVENTS = 'subscription ($userId: String) { memoryEvents(userId: $userId) { number } }';
const VIEWER = { query: '{ viewer { userId } }' };

it.each([
  ['a path that is none', '/x', ''],
  ['a page that may not', '/graphql', 'Origin: https://elsewhere.example\r\n'],
  ['half a handshake', '/graphql', ''],
])('a WebSocket handshake that is broken off does no harm: %s', async (_what, path, header) => {
  const { port } = new URL(server.origin);
  for (let time = 0; time < 30; time += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ].join('\r\n');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${header}${upgrade}\r\n\r\n`);
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  expect((await server.post(VIEWER, await asUser('ann'))).status).toBe(200);
});

it('a subscription is refused when the client does not accept an event stream', async () => {
  const headers = { ...(await asUser('ann')), accept: '*/*' };
  const { status, body } = await server.post({ query: EVENTS }, headers);
  expect(status).toBe(406);
  expect(body.errors?.[0]?.message).toContain('text/event-stream');
});

it('a revoked key closes its WebSocket at once, even while its address is rate limited', async () => {
  const { ctx } = server.world;
  const { key, secret } = await createApiKey(ctx, 'to revoke');
  const socket = server.socket({ authorization: `Bearer ${secret}` });
  const closed = new Promise<CloseEvent>((resolve) => socket.on('closed', resolve as never));
  const next = socket
    .iterate({ query: EVENTS, variables: { userId: 'ada' } })
    .next()
    .catch(() => null);
  await expect.poll(() => socketsOf()).toBe(1);
  const wrong = { authorization: 'Bearer mnemo_guess' };
  for (let time = 0; time < 6; time += 1) await server.post(VIEWER, wrong);
  expect((await server.post(VIEWER, wrong)).status).toBe(429);
  await revokeApiKey(ctx, key.id);
  expect(await closed).toMatchObject({ code: 4403 });
  await next;
});

const socketsOf = async () => {
  const text = await server.world.ctx.metrics.text();
  return Number(/^mnemograph_subscribers\{operation="memoryEvents"\} (\d+)/m.exec(text)?.[1] ?? 0);
};
