import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { say } from '../../support/samples/conversation.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';
import { waitingReads } from '../../support/waiting-reads.ts';

let server: TestServer;
/** What reading from a memory waits for, and how many reads have waited. */
let gate: Promise<void> = Promise.resolve();
let reads = 0;

beforeAll(async () => {
  server = await createTestServer(
    {},
    {},
    waitingReads(() => {
      reads += 1;
      return gate;
    }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const EVENTS = 'subscription { memoryEvents(kinds: [TURNS_REMEMBERED]) { turns { text } } }';
const hello = { channel: 'sms', turns: [{ text: 'Hello.' }] };
const sayHello = async (userId: string) => say(await server.world.user(userId), hello);

/** A connection without a client library, and what it has been sent. */
async function connect(userId: string) {
  const address = `${server.origin.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(address, 'graphql-transport-ws');
  await once(socket, 'open');
  const send = (...messages: object[]) => {
    for (const message of messages) socket.send(JSON.stringify(message));
  };
  send({ type: 'connection_init', payload: await asUser(userId) });
  await once(socket, 'message');
  const told: { type: string }[] = [];
  socket.on('message', (text) => void told.push(JSON.parse(String(text))));
  return { socket, send, told };
}

const subscribe = { id: '1', type: 'subscribe', payload: { query: EVENTS } };
const complete = { id: '1', type: 'complete' };

const subscribers = async () => {
  const text = await server.world.ctx.metrics.text();
  return Number(/^mnemograph_subscribers\{operation="memoryEvents"\} (\d+)/m.exec(text)?.[1] ?? 0);
};

it('an id that comes again before its earlier operation has ended closes the connection', async () => {
  const { socket, send, told } = await connect('ann');
  const closed = once(socket, 'close');
  send(subscribe, complete, subscribe);
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4409, expect.stringContaining('has not ended yet')]);
  expect(told).toEqual([]);
  await expect.poll(subscribers).toBe(0);
});

it('an id may be used again when its operation has ended, with an error or without one', async () => {
  const { socket, send, told } = await connect('bob');
  send({ ...subscribe, payload: { query: '{' } });
  await expect.poll(() => told).toMatchObject([{ type: 'error' }]);
  send({ ...subscribe, payload: { query: '{ viewer { id } }' } });
  await expect.poll(() => told.slice(1)).toMatchObject([{ type: 'next' }, { type: 'complete' }]);
  send(subscribe);
  await expect.poll(subscribers).toBe(1);
  send(complete);
  await expect.poll(subscribers).toBe(0);
  send(subscribe);
  await expect.poll(subscribers).toBe(1);
  await sayHello('bob');
  await expect.poll(() => told.slice(3)).toMatchObject([{ id: '1', type: 'next' }]);
  socket.close();
  await expect.poll(subscribers).toBe(0);
});

it('nothing is sent of an event whose subscription was completed while it was being read', async () => {
  const { socket, send, told } = await connect('cat');
  send(subscribe);
  await expect.poll(subscribers).toBe(1);
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  reads = 0;
  await sayHello('cat');
  await expect.poll(() => reads).toBeGreaterThan(0);
  send(complete);
  await expect.poll(subscribers).toBe(0);
  gate = Promise.resolve();
  open();
  send({ ...subscribe, id: '2', payload: { query: '{ viewer { turnCount } }' } });
  await expect.poll(() => told.at(-1)).toMatchObject({ type: 'complete' });
  expect(told).toMatchObject([
    { id: '2', type: 'next' },
    { id: '2', type: 'complete' },
  ]);
  socket.close();
});
