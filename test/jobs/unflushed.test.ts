import { afterEach, beforeEach, expect, it } from 'vitest';
import { isOnServer } from '../support/database/database.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterEach(() => world[Symbol.asyncDispose]());

const FACT = { channel: 'sms', turns: [{ text: 'My name is Ada and I live in Lyon.' }] };
const UNFLUSHED = /synchronous_commit/;

/** Whether something is committed that is not on disk. The head of a page is less, and may stand there before any record. */
async function isSomethingUnflushed(): Promise<boolean> {
  const { rows } = await world.ctx.db.pool.query(
    'SELECT pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn() > 40 AS yes',
  );
  return rows[0].yes;
}

/** The statements since the last look, from the beginning of each transaction to its commit. */
function transactions(): { names: (string | null)[]; commit: string }[] {
  const found: ReturnType<typeof transactions> = [];
  let names: (string | null)[] = [];
  for (const { name, text } of world.statements.splice(0)) {
    if (name?.startsWith('begin')) names = [];
    else if (name === 'commit') found.push({ names, commit: text });
    else names.push(name);
  }
  return found;
}

it('turns are on disk when remember answers, and an event when its step ends; a step without one does not wait', async () => {
  const ada = await world.user('ada');
  await say(ada, FACT);
  for (const { commit } of transactions()) expect(commit).not.toMatch(UNFLUSHED);

  await world.settle();
  const written = transactions();
  const withEvents = written.filter(({ names }) => names.includes('events-append'));
  expect(withEvents.length).toBeGreaterThan(0);
  for (const { commit } of withEvents) expect(commit).not.toMatch(UNFLUSHED);
  const indexed = written.find(({ names }) => names.includes('postings-insert'));
  expect(indexed?.names).not.toContain('events-append');
  expect(indexed?.commit).toMatch(UNFLUSHED);
});

it.skipIf(isOnServer)(
  'a lease is on disk before its job runs; the end of the job gets there with the next lease',
  async () => {
    await say(await world.user('ada'), FACT);
    const { jobs } = world.ctx.deployment();
    const later = new Date(world.now.getTime() + 60_000);
    const lease = () =>
      jobs.lease('w', later, 15, { facts: 1, rows: 1, vectors: 0, segments: 0, language: 0 });
    const [first] = await lease();
    expect(await isSomethingUnflushed()).toBe(false);
    if (!first) throw new Error('No job was leased.');
    await jobs.finish('w', first, later, later);
    expect(await isSomethingUnflushed()).toBe(true);
    expect(await lease()).not.toEqual([]);
    expect(await isSomethingUnflushed()).toBe(false);
  },
);
