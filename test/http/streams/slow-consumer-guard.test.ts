import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createSlowConsumerGuard } from '../../../src/http/streams/slow-consumer-guard.ts';
import { say } from '../../support/samples/conversation.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

/** About 3 MB, which an answer repeats: more than the buffers of the system hold. */
const TURNS = Array.from({ length: 30 }, () => ({ text: 'word '.repeat(19_800) }));
const THRICE = 'a: text b: text c: text';

let server: TestServer;
let ann: { authorization: string };
beforeAll(async () => {
  server = await createTestServer();
  ann = await asUser('ann');
  await say(await server.world.user('ann'), { channel: 'sms', turns: TURNS });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reads from a paused socket, until it has read so many bytes or the end. */
function readSome(socket: Socket, most: number): Promise<number> {
  return new Promise((resolve) => {
    let read = 0;
    const take = (part: Buffer) => {
      read += part.length;
      if (read >= most) end();
    };
    const end = () => {
      socket.pause();
      socket.off('data', take);
      socket.off('close', end);
      resolve(read);
    };
    socket.on('data', take);
    socket.on('close', end);
    socket.resume();
  });
}

/** What the server noticed of a client that reads 1.6 MB every 10 s: half a minute passes in which no message is read to its end. */
async function readSlowly(socket: Socket): Promise<number> {
  let read = 0;
  for (let time = 0; time < 3; time += 1) {
    vi.advanceTimersByTime(10_000);
    read += await readSome(socket, 1_600_000);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }
  vi.advanceTimersByTime(5_000);
  return read;
}

it('a large answer is sent to its end to a client that reads it slowly', async () => {
  const { port } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const body = JSON.stringify({
    query: `{ viewer { turns(first: 30) { edges { node { ${THRICE} } } } } }`,
  });
  const head = [
    'POST /graphql HTTP/1.1',
    `Host: localhost:${port}`,
    'Content-Type: application/json',
    'Connection: close',
    `Authorization: ${ann.authorization}`,
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  let read = await readSome(socket, 1);
  read += await readSlowly(socket);
  read += await readSome(socket, Number.POSITIVE_INFINITY);
  expect(read).toBeGreaterThan(8_900_000);
});

it('a large event is sent to its end over a WebSocket that is read slowly', async () => {
  using closing = vi.spyOn(WebSocket.prototype, 'close');
  const address = `${server.origin.replace('http', 'ws')}/graphql`;
  const client = new WebSocket(address, 'graphql-transport-ws');
  await once(client, 'open');
  const { _socket: socket } = client as unknown as { _socket: Socket };
  client.send(JSON.stringify({ type: 'connection_init', payload: ann }));
  await once(client, 'message');
  const query = `subscription { memoryEvents(fromStart: true, kinds: [TURNS_REMEMBERED]) { turns { ${THRICE} } } }`;
  client.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
  const told = once(client, 'message');
  await readSome(socket, 1);
  await readSlowly(socket);
  client.resume();
  socket.resume();
  const [text] = await told;
  expect(String(text).length).toBeGreaterThan(8_900_000);
  expect(closing).not.toHaveBeenCalled();
  client.close();
});

/** A client that leaves so many bytes unread and, if it is slow, reads one of them each second. */
function createClient(pending: number, isReading = false) {
  let sent = 0;
  const drop = vi.fn();
  return { pendingBytes: () => pending, sentBytes: () => (isReading ? sent++ : 0), drop };
}

/** After how many seconds a guard drops each of these clients; null = not in five minutes. */
function dropsOf(clients: ReturnType<typeof createClient>[]): (number | null)[] {
  using guard = createSlowConsumerGuard({ most: 10, all: 100 });
  const ends = clients.map((client) => guard.watch(client));
  const drops = clients.map((): number | null => null);
  for (let second = 1; second <= 300; second += 1) {
    vi.advanceTimersByTime(1_000);
    for (const [index, { drop }] of clients.entries()) {
      if (drop.mock.calls.length > 0) drops[index] ??= second;
    }
  }
  for (const end of ends) end();
  return drops;
}

it('a client that reads nothing is dropped after 15 s, and one that leaves nothing unread is not', () => {
  expect(dropsOf([createClient(5), createClient(50), createClient(0)])).toEqual([15, 15, null]);
});

it('while clients together leave too much unread, those that leave much and read nothing are dropped after 2 s', () => {
  const clients = [createClient(60), createClient(60), createClient(10), createClient(60, true)];
  expect(dropsOf(clients)).toEqual([2, 2, 15, 120]);
});

it('a client that goes on reading may leave much unread for two minutes, and little for ever', () => {
  expect(dropsOf([createClient(11, true), createClient(10, true)])).toEqual([120, null]);
});
