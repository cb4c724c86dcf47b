import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Conversation } from '../../src/cli/import/conversation.ts';
import { gather } from '../../src/cli/import/gather.ts';
import { readFile } from '../../src/cli/import/read-file.ts';
import { send, type Tally } from '../../src/cli/import/send.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await createTestServer();
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-mixed-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
});

type Line = { conversation?: string; role: string; text: string; occurredAt: string };

/** The n-th minute of a day. */
const minute = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString();
const said = (conversation: string, n: number, text = `${conversation} ${n}`): Line => ({
  conversation,
  role: n % 2 === 0 ? 'assistant' : 'user',
  text,
  occurredAt: minute(n),
});

/** Imports a file of these lines, whose assistant has the name of the role. */
async function importLines(userId: string, lines: readonly object[]): Promise<Tally> {
  const path = join(folder, `${userId}.jsonl`);
  await writeFile(path, lines.map((one) => JSON.stringify(one)).join('\n'));
  const memory = createMemory({ url: server.origin, token: await userToken(userId) });
  const tally: Tally = {
    ...{ conversations: 0, stored: 0, alreadyStored: 0, forgotten: 0 },
    skipped: {},
    refused: [],
  };
  const now = server.world.now;
  const read = readFile(path, { format: 'jsonl', self: 'User', now }, () => {});
  const target = { memory, channel: 'jsonl', others: 'ASSISTANT' } as const;
  await send(gather(read, tally.skipped), target, tally);
  return tally;
}

/** The texts of a user's threads, the thread with the earliest turn first. */
async function threadsOf(userId: string): Promise<string[][]> {
  const { rows } = await server.world.ctx.db.pool.query<{ texts: string[] }>(
    `SELECT array_agg(text ORDER BY number) AS texts FROM turns
    WHERE user_id = $1 GROUP BY thread_id ORDER BY min(occurred_at), min(text)`,
    [userId],
  );
  return rows.map(({ texts }) => texts);
}

const once = { refused: [], skipped: {}, forgotten: 0 };

it('conversations that take turns in a file become a thread each with all their turns, though the assistant begins', async () => {
  const numbers = Array.from({ length: 1_300 }, (_, n) => n);
  const lines = numbers.flatMap((n) => [said('a', n), said('b', n)]);
  const all = { ...once, conversations: 2 };
  expect(await importLines('mixed', lines)).toEqual({ ...all, stored: 2_600, alreadyStored: 0 });
  const threads = ['a', 'b'].map((name) => numbers.map((n) => `${name} ${n}`));
  expect(await threadsOf('mixed')).toEqual(threads);
  expect(await importLines('mixed', lines)).toEqual({ ...all, stored: 0, alreadyStored: 2_600 });
  expect(await threadsOf('mixed')).toEqual(threads);
});

it('a turn that was said twice in a minute is stored twice, also where the two are sent in different requests', async () => {
  const talk = Array.from({ length: 999 }, (_, n) => said('a', n));
  const ok = said('a', 999, 'ok');
  const lines = [...talk, ok, ok, said('a', 1_001), ok];
  const all = { ...once, conversations: 1 };
  expect(await importLines('twice', lines)).toEqual({ ...all, stored: 1_003, alreadyStored: 0 });
  expect(await importLines('twice', lines)).toEqual({ ...all, stored: 0, alreadyStored: 1_003 });
  const [thread, ...others] = await threadsOf('twice');
  expect(others).toEqual([]);
  expect(thread?.slice(998)).toEqual(['a 998', 'ok', 'ok', 'ok', 'a 1001']);
  // The same file, cut elsewhere.
  expect(await importLines('twice', lines.slice(500))).toMatchObject({ stored: 0 });
});

it('a conversation whose newest turn comes first becomes one thread in the order of time', async () => {
  const numbers = Array.from({ length: 1_500 }, (_, n) => n);
  const lines = numbers.map((n) => said('a', n)).reverse();
  expect(await importLines('newest', lines)).toMatchObject({ ...once, stored: 1_500 });
  expect(await threadsOf('newest')).toEqual([numbers.map((n) => `a ${n}`)]);
});

it('a user who speaks late, or only outside of conversations, is found', async () => {
  const monologue = Array.from({ length: 2_200 }, (_, n) => said('a', 2 * n));
  const lines = [...monologue, said('a', 4_401)];
  expect(await importLines('late', lines)).toMatchObject({ ...once, stored: 2_201 });
  expect((await threadsOf('late')).map((texts) => texts.length)).toEqual([2_201]);

  const { conversation: _, ...greeting } = said('', 0, 'Hello?');
  const { conversation: _none, ...answer } = said('', 1, 'Hello.');
  expect(await importLines('loose', [greeting, said('a', 1), answer])).toMatchObject(once);
  expect(await threadsOf('loose')).toEqual([['Hello?', 'Hello.'], ['a 1']]);
});

it('of many conversations at once only some turns wait, and those in which the user says nothing are counted once', async () => {
  async function* conversations(): AsyncGenerator<Conversation> {
    for (let n = 0; n < 9_000; n += 1) {
      taken += 1;
      const turn = { speaker: 'User', text: `${n}`, occurredAt: new Date(minute(n)) };
      const turns = [{ ...turn, isUser: n % 3 !== 0 }];
      yield { id: `${n % 3 === 0 ? 'silent' : n}`, title: null, turns, skipped: {} };
    }
  }
  let taken = 0;
  let passed = 0;
  let waiting = 0;
  async function* parts() {
    for await (const part of gather(conversations(), {})) {
      passed += part.turns.length;
      waiting = Math.max(waiting, taken - passed);
      yield part;
    }
  }
  const tally: Tally = {
    ...{ conversations: 0, stored: 0, alreadyStored: 0, forgotten: 0 },
    skipped: {},
    refused: [],
  };
  const memory = {
    importConversation: async ({ turns }: { turns: readonly object[] }) => ({
      ...{ __typename: 'ImportPayload' as const, stored: turns.length },
      ...{ alreadyStored: 0, forgotten: 0 },
    }),
  };
  await send(parts(), { memory, channel: 'x', others: 'OTHER' }, tally);
  expect(waiting).toBeLessThan(5_100);
  expect(tally).toMatchObject({
    conversations: 6_001,
    stored: 6_000,
    skipped: { 'conversations in which the user says nothing': 1 },
  });
});
