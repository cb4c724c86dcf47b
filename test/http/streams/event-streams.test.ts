import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

const EVENTS = { query: 'subscription { memoryEvents { number } }' };
const VIEWER = { query: '{ viewer { turnCount } }' };

let server: TestServer;
/** What a subscription that has its place waits for, and how many wait. */
let gate: Promise<void> = Promise.resolve();
let waiting = 0;

const gated = (ctx: App): App => ({
  ...ctx,
  places: {
    async hold(userId, follow) {
      const events = await ctx.places.hold(userId, follow);
      waiting += 1;
      await gate;
      return events;
    },
  },
});

beforeAll(async () => {
  server = await createTestServer({ MAX_SUBSCRIPTIONS_PER_USER: '1' }, {}, gated);
});
afterAll(() => server[Symbol.asyncDispose]());

const subscribers = async () => {
  const text = await server.world.ctx.metrics.text();
  return /^mnemograph_subscribers\{operation="memoryEvents"\} (\d+)/m.exec(text)?.[1];
};

it('an event stream whose client leaves before the answer begins frees its places', async () => {
  const ann = await asUser('ann');
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const { port } = new URL(server.origin);
  const client = connect(Number(port), '127.0.0.1');
  await once(client, 'connect');
  const body = JSON.stringify(EVENTS);
  const head = [
    'POST /graphql HTTP/1.1',
    `Host: localhost:${port}`,
    'Content-Type: application/json',
    'Accept: text/event-stream',
    `Authorization: ${ann.authorization}`,
    `Content-Length: ${body.length}`,
  ];
  client.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await expect.poll(() => waiting).toBe(1);
  client.destroy();
  await once(client, 'close');
  // The server has seen it when it answers another request.
  await server.post(VIEWER, ann);
  open();
  await expect.poll(subscribers).toBe('0');
  const another = await server.stream(EVENTS, ann);
  const next = another.next().catch(() => null);
  await expect.poll(subscribers).toBe('1');
  await another[Symbol.asyncDispose]();
  await next;
});
