import { createMemory } from '@mnemograph/client';
import { overWebSocket } from '@mnemograph/client/ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../tools/support/free-port.ts';
import { say, some, wordsOf } from '../support/client/client-streams.ts';
import { createTestServer, serve, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

type Served = { origin: string; stop(): Promise<void> };

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const PLACE = 'http://memory.test';
const TOLD = ['TURNS_REMEMBERED'] as const;

/** A client over a WebSocket, which can be led to another server, and knows how many connections it has opened. */
function socketClient(token: () => string | Promise<string>) {
  const place: { served: Served; opened: number } = { served: server, opened: 0 };
  class Counted extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      const there = place.served.origin.replace('http', 'ws');
      super(url.replace(PLACE.replace('http', 'ws'), there), protocols);
      this.on('open', () => {
        place.opened += 1;
      });
    }
  }
  const memory = createMemory({
    url: PLACE,
    token,
    live: overWebSocket({ webSocket: Counted }),
    fetch: (url, init) => fetch(String(url).replace(PLACE, place.served.origin), init),
  });
  return { memory, place };
}

it('events come over a WebSocket, also after its server has gone and another one has come', async () => {
  const { memory, place } = socketClient(() => userToken('ws-ada'));
  await say(memory, 'Before.');
  const other = await serve(server.world.ctx);
  place.served = other;
  const live = some(memory.events({ kinds: TOLD }), 3);
  await expect.poll(() => place.opened).toBe(1);
  await say(memory, 'One.');
  place.served = server;
  const stopped = other.stop();
  await say(memory, 'Two.');
  await stopped;
  await expect.poll(() => place.opened).toBe(2);
  await say(memory, 'Three.');
  expect(wordsOf(await live)).toEqual(['One.', 'Two.', 'Three.']);
});

it('a stream that begins in an empty memory misses nothing when its first connection is lost', async () => {
  const { memory, place } = socketClient(() => userToken('ws-empty'));
  const other = await serve(server.world.ctx);
  place.served = other;
  const live = some(memory.events({ kinds: TOLD }), 2);
  await expect.poll(() => place.opened).toBe(1);
  place.served = server;
  await other.stop();
  await say(memory, 'One.');
  await expect.poll(() => place.opened).toBe(2);
  await say(memory, 'Two.');
  expect(wordsOf(await live)).toEqual(['One.', 'Two.']);
});

it('all streams of a client share one connection, which is closed with the last of them', async () => {
  const { memory, place } = socketClient(() => userToken('ws-shared'));
  await say(memory, 'Before.');
  const end = new AbortController();
  const { signal } = end;
  const silent = [memory.compactions({ signal }), memory.linking({ signal })];
  const reading = silent.map((stream) => some(stream as AsyncGenerator<unknown>, 1_000));
  const events: unknown[] = [];
  const readingEvents = (async () => {
    for await (const event of memory.events({ signal })) events.push(event);
  })();
  const first = some(memory.events({ kinds: TOLD }), 1);
  await expect.poll(() => place.opened).toBe(1);
  await say(memory, 'Shared.');
  expect(wordsOf(await first)).toEqual(['Shared.']);
  expect(place.opened).toBe(1);
  await expect.poll(() => events.length).toBeGreaterThan(0);
  end.abort();
  expect(await Promise.all(reading)).toEqual([[], []]);
  await readingEvents;
  const again = some(memory.events({ kinds: TOLD }), 1);
  await expect.poll(() => place.opened).toBe(2);
  await say(memory, 'Again.');
  expect(wordsOf(await again)).toEqual(['Again.']);
});

it('what the server refuses has its code: a cursor of nobody, and credentials, which are renewed once', async () => {
  const { memory } = socketClient(() => userToken('ws-mistaken'));
  await expect(some(memory.events({ after: 'nonsense' }), 1)).rejects.toMatchObject({
    name: 'MemoryError',
    code: 'CURSOR_INVALID',
  });
  let asked = 0;
  const renewed = socketClient(async () => {
    asked += 1;
    return asked === 1 ? 'expired' : await userToken('ws-renewed');
  });
  const live = some(renewed.memory.events({ fromStart: true, kinds: TOLD }), 1);
  await expect.poll(() => asked).toBe(2);
  await say(renewed.memory, 'Renewed.');
  expect(wordsOf(await live)).toEqual(['Renewed.']);
  const never = socketClient(() => 'wrong');
  await expect(some(never.memory.events({ fromStart: true }), 1)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});

it('a server that was never there is told after some attempts, and a failing token at once', async () => {
  const live = overWebSocket({ webSocket: WebSocket });
  const url = `http://127.0.0.1:${await freePort()}`;
  const nobody = createMemory({ url, retries: 1, live });
  await expect(some(nobody.linking({ fromStart: true }), 1)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    retryable: true,
  });
  const { memory } = socketClient(() => {
    throw new Error('no token today');
  });
  await expect(some(memory.events({ fromStart: true }), 1)).rejects.toThrow('no token today');
});
