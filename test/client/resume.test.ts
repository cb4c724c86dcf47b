import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { some } from '../support/client/client-streams.ts';
import { CLOSE, TAP, talk } from '../support/episodes.ts';
import { FLAT, linksOf, tellThreads } from '../support/links.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await createTestServer();
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-resume-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Even on a busy machine. */
const SOON = { timeout: 30_000, interval: 20 };
const WITHIN = { timeout: 90_000 };

/** A process that follows a memory into a file. It can be killed and started again. */
async function follower(what: 'events' | 'compactions' | 'linking', userId: string) {
  const file = join(folder, `${what}-${userId}`);
  const args = [what, file, server.origin, await userToken(userId)];
  const run = ['--import', 'tsx', 'test/support/client/follow-to-file.ts', ...args];
  let child: ChildProcess | undefined;
  const kill = async () => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  return {
    start() {
      child = spawn(process.execPath, run, { stdio: ['ignore', 'ignore', 'inherit'] });
    },
    kill,
    /** What it has written so far, without the cursors. */
    async seen(): Promise<string[]> {
      const text = await readFile(file, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
    },
    [Symbol.asyncDispose]: kill,
  };
}

it(
  'a process that is killed goes on from the cursor that it stored: no event is missed, none comes twice',
  WITHIN,
  async () => {
    const memory = createMemory({ url: server.origin, token: await userToken('killed') });
    await using process = await follower('events', 'killed');
    const say = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) {
        await memory.remember(`Remark ${number}.`, { channel: 'sms' });
      }
    };
    process.start();
    const saying = say(0, 30);
    await expect.poll(async () => (await process.seen()).length, SOON).toBeGreaterThan(5);
    await process.kill();
    await saying;
    await say(30, 40);
    const before = (await process.seen()).length;
    process.start();
    await say(40, 50);
    await server.world.settle();
    const { rows } = await server.world.ctx.db.pool.query(
      `SELECT number::text FROM memory_events WHERE user_id = 'killed' ORDER BY memory_events.number`,
    );
    const all = rows.map(({ number }) => number);
    expect(before).toBeLessThan(all.length);
    await expect
      .poll(async () => (await process.seen()).length, SOON)
      .toBeGreaterThanOrEqual(all.length);
    expect(await process.seen()).toEqual(all);
  },
);

it(
  'compactions that end while the process is dead are seen by the next one, each once',
  WITHIN,
  async () => {
    const client = await server.world.user('compacted');
    const memory = createMemory({ url: server.origin, token: await userToken('compacted') });
    await using process = await follower('compactions', 'compacted');
    const compact = async (day: string) => {
      const turns = talk(TAP, `2026-02-${day}T08:50:00Z`);
      const stored = await memory.remember({ channel: 'web', newThread: {}, turns });
      const threadId = stored.turns[0]?.turn?.thread.id ?? '';
      await client.execute(CLOSE, { threadId });
      await server.world.settle();
      return threadId;
    };
    process.start();
    const first = await compact('02');
    await expect.poll(process.seen, SOON).toEqual([first]);
    await process.kill();
    const second = await compact('05');
    process.start();
    await expect.poll(process.seen, SOON).toEqual([first, second]);
    const third = await compact('08');
    await expect.poll(process.seen, SOON).toEqual([first, second, third]);
  },
);

it(
  'verdicts about links that are made while the process is dead are seen by the next one, each once',
  WITHIN,
  async () => {
    const client = await server.world.user('linked');
    await using process = await follower('linking', 'linked');
    process.start();
    await tellThreads(server.world, client, [FLAT[0]]);
    await process.kill();
    await tellThreads(server.world, client, [FLAT[1]], { from: '2026-03-02T09:00:00Z' });
    const [link] = (await linksOf(client)).links;
    process.start();
    await expect.poll(process.seen, SOON).toEqual([link?.id]);
    await process.kill();
    process.start();
    await tellThreads(server.world, client, [FLAT[0]], { from: '2026-03-03T09:00:00Z' });
    const links = (await linksOf(client)).links.map(({ id }) => id);
    expect(links.length).toBeGreaterThan(1);
    await expect
      .poll(async () => (await process.seen()).toSorted(), SOON)
      .toEqual(links.toSorted());
  },
);

it('a stream knows the cursor behind what it has handed out, also before the first event', async () => {
  const memory = createMemory({ url: server.origin, token: await userToken('cursor') });
  const empty = memory.events({ fromStart: true });
  expect(empty.cursor).toBeUndefined();
  await memory.remember('One.', { channel: 'sms' });
  await memory.remember('Two.', { channel: 'sms' });
  const told = { kinds: ['TURNS_REMEMBERED'] as const, fromStart: true };
  const [first, second] = await Promise.all([memory.events(told), memory.events(told)]);
  const one = (await first.next()).value;
  expect(first.cursor).toBe(one.cursor);
  const rest = memory.events({ ...told, after: first.cursor });
  expect(rest.cursor).toBe(one.cursor);
  expect((await rest.next()).value).toMatchObject({ turns: [{ text: 'Two.' }] });
  for (const stream of [empty, first, second, rest]) await stream.return(undefined);
});

it('who asks for the newest cursor, then reads, and then follows from it, misses nothing in between', async () => {
  const memory = createMemory({ url: server.origin, token: await userToken('newest') });
  const words = async (after: string | undefined) => {
    const kinds = ['TURNS_REMEMBERED'] as const;
    const [event] = await some(memory.events({ after, fromStart: true, kinds }), 1);
    return event?.turns.map(({ text }) => text);
  };
  const empty = await memory.newestCursor();
  expect(empty).toBeUndefined();
  await memory.remember('One.', { channel: 'sms' });
  expect(await words(empty)).toEqual(['One.']);
  const place = await memory.newestCursor();
  await memory.remember('Two.', { channel: 'sms' });
  expect(await words(place)).toEqual(['Two.']);
  expect(await memory.newestCursor()).not.toBe(place);
});
