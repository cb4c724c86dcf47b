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

/** Whether something is committed that is not on disk. */
async function isSomethingUnflushed(): Promise<boolean> {
  const { rows } = await world.ctx.db.pool.query(
    'SELECT pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn() AS yes',
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
  const written = transactions().filter(({ names }) =>
    names.some((name) => name !== 'facts-stored'),
  );
  const withEvents = written.filter(({ names }) => names.includes('events-append'));
  expect(withEvents.length).toBeGreaterThan(0);
  for (const { commit } of withEvents) expect(commit).not.toMatch(UNFLUSHED);
  const indexed = written.find(({ names }) => names.includes('postings-insert'));
  expect(indexed?.names).not.toContain('events-append');
  expect(indexed?.commit).toMatch(UNFLUSHED);
});

it.skipIf(isOnServer)(
  'the next commit that waits for the disk takes with it what did not wait',
  async () => {
    const ada = await world.user('ada');
    await say(ada, FACT);
    const { jobs } = world.ctx.deployment();
    const places = { facts: 9, rows: 9, vectors: 9, language: 9 };
    const later = new Date(world.now.getTime() + 60_000);
    const [job] = await jobs.lease('w', later, 15, places);
    expect(await isSomethingUnflushed()).toBe(true);
    await say(ada, FACT);
    expect(await isSomethingUnflushed()).toBe(false);

    if (!job) throw new Error('No job was leased.');
    await jobs.finish('w', job, null, later);
    expect(await isSomethingUnflushed()).toBe(true);
  },
);
