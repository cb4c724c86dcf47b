import { createMemory, MemoryError, type MemoryEvent } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../tools/support/free-port.ts';
import { say, some, wordsOf } from '../support/client/client-streams.ts';
import { type Answer, json, stub } from '../support/client/stub-answers.ts';
import { CLOSE, TAP, talk } from '../support/episodes.ts';
import { FLAT, tellThreads } from '../support/links.ts';
import { createTestServer, serve, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

type Served = { origin: string; stop(): Promise<void> };

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** A client of one user, which can be led to another server, and knows how many streams it has opened. */
async function follower(userId: string) {
  const place: { served: Served; opened: number } = { served: server, opened: 0 };
  const memory = createMemory({
    url: 'http://memory.test',
    token: await userToken(userId),
    async fetch(url, init) {
      const response = await fetch(
        String(url).replace('http://memory.test', place.served.origin),
        init,
      );
      if (response.headers.get('content-type') === 'text/event-stream') place.opened += 1;
      return response;
    },
  });
  return { memory, place };
}

const TOLD = ['TURNS_REMEMBERED'] as const;

it('events begin with the next one, or after a cursor, and can be of some kinds only', async () => {
  const { memory, place } = await follower('ada');
  await say(memory, 'Before.');
  const live = some(memory.events({ kinds: TOLD }), 2);
  await expect.poll(() => place.opened).toBe(1);
  await say(memory, 'One.');
  await say(memory, 'Two.');
  const events = await live;
  expect(wordsOf(events)).toEqual(['One.', 'Two.']);
  const [first] = events;
  const after = await some(memory.events({ after: first?.cursor, kinds: TOLD }), 1);
  expect(after[0]?.cursor).toBe(events[1]?.cursor);
});

it('a stream that begins in an empty memory misses nothing when its first connection is lost', async () => {
  const { memory, place } = await follower('empty');
  const other = await serve(server.world.ctx);
  place.served = other;
  const live = some(memory.events({ kinds: TOLD }), 26);
  await expect.poll(() => place.opened).toBe(1);
  place.served = server;
  const told = Array.from({ length: 25 }, (_, index) => `Number ${index}.`);
  const stopped = other.stop();
  for (const text of told) await say(memory, text);
  await stopped;
  await expect.poll(() => place.opened).toBe(2);
  await say(memory, 'And now.');
  expect(wordsOf(await live)).toEqual([...told, 'And now.']);
});

it('a stream ends without an error when its signal is aborted, and when it is left', async () => {
  const { memory, place } = await follower('ended');
  const end = new AbortController();
  const seen: MemoryEvent[] = [];
  const reading = (async () => {
    for await (const event of memory.events({ signal: end.signal })) seen.push(event);
    return 'ended';
  })();
  await expect.poll(() => place.opened).toBe(1);
  await say(memory, 'One.');
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  end.abort();
  expect(await reading).toBe('ended');
});

it('an export is given up by its signal while the archive is on its way, and its connection is closed', async () => {
  const exported = {
    data: { exportMemory: { __typename: 'ExportMemoryPayload', url: '/export/1' } },
  };
  let isClosed = false;
  const endless: Answer = (response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(200).write('{}\n');
  };
  const { memory } = await stub([json(200, exported), endless]);
  const end = new AbortController();
  const { stream } = await memory.export({ signal: end.signal });
  const reader = stream.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('{}\n');
  const reason = new Error('It is no longer needed.');
  end.abort(reason);
  await expect(reader.read()).rejects.toBe(reason);
  await expect.poll(() => isClosed).toBe(true);
});

it('a cursor that is not of this memory is refused with its code', async () => {
  const { memory } = await follower('mistaken');
  await expect(some(memory.events({ after: 'nonsense' }), 1)).rejects.toMatchObject({
    name: 'MemoryError',
    code: 'CURSOR_INVALID',
  });
});

it('a server that was never there is told after some attempts', async () => {
  const nobody = createMemory({ url: `http://127.0.0.1:${await freePort()}`, retries: 1 });
  const failure = await some(nobody.linking(), 1).catch((error) => error);
  expect(failure).toBeInstanceOf(MemoryError);
  expect(failure).toMatchObject({ code: 'UNREACHABLE', retryable: true });
});

it('compactions are followed to the finished episode', async () => {
  const { memory, place } = await follower('compacting');
  const { turns } = await memory.remember({
    channel: 'sms',
    turns: talk(TAP, '2026-03-02T08:50:00Z'),
  });
  const threadId = turns[0]?.turn?.thread.id ?? '';
  const progress = some(memory.compactions({ threadId }), 3);
  await expect.poll(() => place.opened).toBe(1);
  await (await server.world.user('compacting')).execute(CLOSE, { threadId });
  await server.world.settle();
  expect((await progress).map(({ done, episode }) => [done, episode?.kind])).toEqual([
    [0.2, undefined],
    [0.8, undefined],
    [1, 'PRIMARY'],
  ]);
});

it('linking is followed from the candidate on, over a restart', async () => {
  const { memory, place } = await follower('linking');
  const client = await server.world.user('linking');
  const other = await serve(server.world.ctx);
  place.served = other;
  await tellThreads(server.world, client, [FLAT[0]]);
  const progress = some(memory.linking(), 2);
  await expect.poll(() => place.opened).toBe(1);
  place.served = server;
  await other.stop();
  await expect.poll(() => place.opened).toBe(2);
  await tellThreads(server.world, client, [FLAT[1]], { from: '2026-03-02T09:00:00Z' });
  expect((await progress).map(({ stage }) => stage)).toEqual(['CANDIDATE', 'ALGORITHM']);
});
