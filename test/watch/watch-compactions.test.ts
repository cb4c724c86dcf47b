import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOSE, TAP, talk } from '../support/episodes.ts';
import { withNotedListeners } from '../support/noted-listeners.ts';
import { say } from '../support/samples/conversation.ts';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const listeners = new Set<unknown>();
/** What the server's reads of a memory wait for; the background does not. */
let reading = Promise.resolve();
beforeAll(async () => {
  server = await createTestServer({}, {}, (ctx) => ({
    ...ctx,
    memory: (userId) => {
      const memory = ctx.memory(userId);
      const read: typeof memory.read = (work, options) =>
        reading.then(() => memory.read(work, options));
      return { ...memory, read };
    },
    publisher: withNotedListeners(ctx.publisher, listeners),
  }));
});
afterAll(() => server[Symbol.asyncDispose]());

const COMPACTIONS = `subscription ($threadId: ID) {
  compactions(threadId: $threadId) {
    thread { turnCount } turnsCollected summariesDone skillsFound done episode { kind micro }
  }
}`;

const tell = async (userId: string, channel = 'sms') => {
  const client = await server.world.user(userId);
  const [turn] = await say(client, { channel, turns: talk(TAP, '2026-03-02T08:50:00Z') });
  const threadId = turn?.thread.id ?? '';
  return { threadId, close: () => client.execute(CLOSE, { threadId }) };
};

it('the owner, and nobody else, can watch a compaction from its turns to the finished episode', async () => {
  const own = await tell('watcher');
  const other = await tell('somebody-else');
  const socket = server.socket(await asUser('watcher'));
  const progress = socket.iterate({ query: COMPACTIONS });
  const first = progress.next();
  await expect.poll(() => listeners.size).toBe(1);
  await own.close();
  await other.close();
  await server.world.settle();
  const seen = [await first, await progress.next(), await progress.next()].map(
    ({ value }) => (value as { data: { compactions: object } }).data.compactions,
  );
  const thread = { turnCount: 6 };
  expect(seen).toEqual([
    { thread, turnsCollected: 6, summariesDone: 0, skillsFound: 0, done: 0.2, episode: null },
    { thread, turnsCollected: 6, summariesDone: 3, skillsFound: 0, done: 0.8, episode: null },
    {
      thread,
      turnsCollected: 6,
      summariesDone: 3,
      skillsFound: 0,
      done: 1,
      episode: { kind: 'PRIMARY', micro: expect.stringMatching(/\w/) },
    },
  ]);
  const quiet = Promise.race([progress.next(), Promise.resolve('nothing more')]);
  expect(await quiet).toBe('nothing more');
  await progress.return?.();
  await expect.poll(() => listeners.size).toBe(0);
});

it('progress comes before its result, also when the log is read only after the result is stored', async () => {
  const own = await tell('patient');
  const stream = await server.stream({ query: COMPACTIONS }, await asUser('patient'));
  await expect.poll(() => listeners.size).toBe(1);
  await own.close();
  reading = server.world.settle();
  const seen = [await stream.next(), await stream.next(), await stream.next()];
  expect(seen).toMatchObject([0.2, 0.8, 1].map((done) => ({ data: { compactions: { done } } })));
  await stream[Symbol.asyncDispose]();
});

it('progress can be limited to one thread, and the thread of another user is not found', async () => {
  const { threadId } = await tell('picky');
  const stream = await server.stream(
    { query: COMPACTIONS, variables: { threadId } },
    await asUser('nosy'),
  );
  expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  await stream[Symbol.asyncDispose]();
});
