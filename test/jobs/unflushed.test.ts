import { expect, it } from 'vitest';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { isOnServer, snapshot } from '../support/database/database.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

const FACT = { channel: 'sms', turns: [{ text: 'My name is Ada and I live in Lyon.' }] };
const UNFLUSHED = /synchronous_commit/;

/** In milliseconds: no test takes so long. */
const NEVER = 1_000_000_000;

/**
 * Starts a database to which nobody writes but its clients. Housekeeping comes when a second or a round has passed: its commits and
 * checkpoints flush what others left unflushed, and a VACUUM leaves something itself.
 */
const startWithoutHousekeeping = async () =>
  startEmbedded({
    folder: null,
    snapshot: await snapshot(),
    housekeeping: { everyMs: NEVER, lookEveryMs: NEVER },
  });

/** Whether something is committed that is not on disk. The head of a page is less, and may stand there before any record. */
async function isSomethingUnflushed(world: World): Promise<boolean> {
  const { rows } = await world.ctx.db.pool.query(
    'SELECT pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn() > 40 AS yes',
  );
  return rows[0].yes;
}

/** The statements since the last look, from the beginning of each transaction to its commit. */
function transactions(world: World): { names: (string | null)[]; commit: string }[] {
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
  await using world = await createWorld({ EMBEDDER: 'none' });
  const ada = await world.user('ada');
  await say(ada, FACT);
  for (const { commit } of transactions(world)) expect(commit).not.toMatch(UNFLUSHED);

  await world.settle();
  const written = transactions(world);
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
    await using database = await startWithoutHousekeeping();
    const connection = { connection: database.connection, embedded: true };
    await using world = await createWorld({ EMBEDDER: 'none' }, { connection });
    await say(await world.user('ada'), FACT);
    const { jobs } = world.ctx.deployment();
    const later = new Date(world.now.getTime() + 60_000);
    const lease = () =>
      jobs.lease('w', later, 15, { facts: 1, rows: 1, vectors: 0, segments: 0, language: 0 });
    // The first look reads rows of the catalog that nobody has read: pages are tidied by that, which is written, but not flushed.
    await isSomethingUnflushed(world);
    const [first] = await lease();
    expect(await isSomethingUnflushed(world)).toBe(false);
    if (!first) throw new Error('No job was leased.');
    await jobs.finish('w', first, later, later);
    expect(await isSomethingUnflushed(world)).toBe(true);
    expect(await lease()).not.toEqual([]);
    expect(await isSomethingUnflushed(world)).toBe(false);
  },
);
