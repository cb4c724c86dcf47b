import { cpSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Statement, Tx } from '../../../src/db/core/database.ts';
import { type Embedded, startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { DatabaseUnavailable } from '../../../src/domain/core/errors.ts';
import { drainJobs } from '../../../src/jobs/worker.ts';
import { remember } from '../../../src/remember/turns/remember.ts';
import { FLIGHT, TAP, talk } from '../../support/episodes.ts';
import { sharedIndexer, sharedThreads } from '../../support/shared.ts';

const NOW = '2026-03-20T12:00:00Z';
/** When all is due. */
const LATER = '2026-03-20T13:00:00Z';
const MOST_KILLS = 40;

type When = 'after' | 'before' | 'never';

let room: string;
const path = (folder: string) => join(room, folder);
const open = (folder: string) => startEmbedded({ folder: path(folder), flush: false });

/** Starts a server on an open database. */
const serve = ({ connection }: Embedded, now: string) => {
  const config = { ...loadConfig({ EMBEDDER: 'none', LOG_LEVEL: 'silent' }), debounce: {} };
  return createApp(config, {
    connection: { connection, embedded: true },
    clock: () => new Date(now),
    indexer: sharedIndexer(),
    languageThreads: sharedThreads(false),
  });
};

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'killed-'));
  await using database = await open('told');
  await using ctx = await serve(database, NOW);
  const turns = talk([...TAP, ...FLIGHT], '2026-03-02T06:00:00Z').map((turn) => ({
    ...turn,
    occurredAt: new Date(turn.occurredAt),
  }));
  await remember(ctx, { userId: 'ada', threadId: null, input: { channel: 'sms', turns } });
});
afterAll(() => rm(room, { recursive: true, force: true }));

/**
 * Runs the background steps on a database until they are done, or killed.
 * @param when "after" the first transaction that writes is on disk, before its job is finished; "before" the second one commits,
 *   whether the first one is on disk or not; or "never"
 * @param onKill called at the kill. The database's files are what a killed process would leave: without what the database has
 *   not written to them
 * @returns whether the steps got to the end
 */
async function work(database: Embedded, when: When, onKill: () => void): Promise<boolean> {
  await using ctx = await serve(database, LATER);
  const { background } = ctx.db;
  const { asUser } = background;
  let writes = 0;
  let isKilled = false;
  const kill = (): never => {
    isKilled = true;
    onKill();
    throw new DatabaseUnavailable('killed');
  };
  background.asUser = async (userId, task, options) => {
    let wrote = false;
    const onWrite = () => {
      wrote = true;
    };
    const beforeCommit = () => {
      if (wrote && when === 'before' && writes === 1) kill();
    };
    const result = await asUser(
      userId,
      async (tx) => {
        const made = await task(watched(tx, onWrite, beforeCommit));
        beforeCommit();
        return made;
      },
      options,
    );
    if (wrote) writes += 1;
    if (wrote && when === 'after') {
      await ctx.db.pool.query(`SELECT pg_logical_emit_message(true, 'test', 'flushed')`);
      // In a transaction, so that the database does nothing else.
      await asUser(userId, async () => kill());
    }
    return result;
  };
  // As the only process on its folder, it takes over the leases of its predecessor.
  await ctx.deployment().jobs.release(null);
  await drainJobs(ctx).catch((error) => {
    if (!isKilled) throw error;
  });
  return !isKilled;
}

/** Calls `onWrite` before each statement that writes, and `beforeCommit` before one that commits too. */
const watched = (tx: Tx, onWrite: () => void, beforeCommit: () => void): Tx => {
  const note = ({ name, text }: Statement) => {
    // Writes to jobs and the trimming of events leave nothing for the next run to find done.
    const isIdle = /^(?:jobs-|events-trim)/.test(name);
    if (!isIdle && /\b(?:INSERT|UPDATE|DELETE)\b/.test(text)) onWrite();
  };
  return {
    ...tx,
    query: (statement, values) => {
      note(statement);
      return tx.query(statement, values);
    },
    queryAndCommit: (statement, values) => {
      note(statement);
      beforeCommit();
      return tx.queryAndCommit(statement, values);
    },
  };
};

/** The lock that a running server holds on its folder is a socket, which ends with the process. */
const isNoLock = (file: string): boolean => !basename(file).startsWith('lock-');

/** All that was made of the turns. */
async function resultOf(database: Embedded) {
  await using ctx = await serve(database, LATER);
  const rows = async (sql: string) => (await ctx.db.pool.query(sql)).rows;
  return {
    threads: await rows(
      'SELECT id, state, turn_count, segmented_through, compacted_through FROM threads ORDER BY id',
    ),
    episodes: await rows(
      `SELECT thread_id, kind, ordinal, first_turn, last_turn, surprise, title, summary, micro, meso, macro, capture,
        capture_reason, capture_signals, stability FROM episodes ORDER BY thread_id, ordinal`,
    ),
    revisions: await rows('SELECT count(*)::int FROM episode_revisions'),
    events: await rows(
      'SELECT kind, thread_id, decision FROM memory_events ORDER BY kind, thread_id, decision',
    ),
    postings: await rows('SELECT term, turn_id, frequency FROM postings ORDER BY term, turn_id'),
    jobs: await rows("SELECT step FROM jobs WHERE step <> 'trim-events'"),
  };
}

it('a kill at any boundary of a step neither loses turns nor makes a duplicate', {
  timeout: 400_000,
}, async () => {
  await cp(path('told'), path('calm'), { recursive: true });
  await using undisturbed = await open('calm');
  expect(await work(undisturbed, 'never', () => {})).toBe(true);
  const calm = await resultOf(undisturbed);
  expect(calm.jobs).toEqual([]);
  expect(calm.episodes.length).toBeGreaterThanOrEqual(3);

  // Where one order kills before a commit, the other kills after the one before it.
  const kinds = ['after', 'before'] as const;
  for (const order of [kinds, kinds.toReversed()]) {
    let kills = 0;
    let folder = `${order[0]} first`;
    await cp(path('told'), path(folder), { recursive: true });
    let database = await open(folder);
    for (;;) {
      const when = order[kills % 2] as When;
      const left = `${order[0]} ${kills}`;
      const copy = () => cpSync(path(folder), path(left), { recursive: true, filter: isNoLock });
      if (await work(database, when, copy)) break;
      kills += 1;
      expect(kills).toBeLessThan(MOST_KILLS);
      await database[Symbol.asyncDispose]();
      folder = left;
      database = await open(folder);
    }
    expect(kills).toBeGreaterThan(4);
    expect(await resultOf(database)).toEqual(calm);
    await database[Symbol.asyncDispose]();
  }
});
