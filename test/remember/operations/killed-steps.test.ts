import { cpSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Statement, Tx } from '../../../src/db/core/database.ts';
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
beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'killed-'));
  await using ctx = await open('told', NOW);
  const turns = talk([...TAP, ...FLIGHT], '2026-03-02T06:00:00Z').map((turn) => ({
    ...turn,
    occurredAt: new Date(turn.occurredAt),
  }));
  await remember(ctx, { userId: 'ada', threadId: null, input: { channel: 'sms', turns } });
});
afterAll(() => rm(room, { recursive: true, force: true }));

const open = (name: string, now: string) => {
  const settings = { DATA_DIR: join(room, name), EMBEDDER: 'none', LOG_LEVEL: 'silent' };
  const config = { ...loadConfig(settings), debounce: {} };
  const clock = () => new Date(now);
  return createApp(config, {
    clock,
    indexer: sharedIndexer(),
    languageThreads: sharedThreads(false),
  });
};

/**
 * Runs the background steps on a data folder. At a kill it copies the folder as a killed process would leave it: without what
 * the database has not written to its files. The run then goes on only with the old folder, and fails.
 * @param when "after" the first transaction that writes is on disk, before its job is finished; "before" the second one commits,
 *   whether the first one is on disk or not; or "never"
 * @param left the copy's name
 * @returns whether the steps got to the end
 */
async function work(name: string, when: When, left: string): Promise<boolean> {
  await using ctx = await open(name, LATER);
  const { background } = ctx.db;
  const { asUser } = background;
  let writes = 0;
  let isKilled = false;
  const kill = (): never => {
    isKilled = true;
    cpSync(join(room, name), join(room, left), { recursive: true, filter: isNoLock });
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
      // No other statement runs meanwhile: the database has one session, and no transaction begins before this one is over.
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
const isNoLock = (path: string): boolean => !basename(path).startsWith('lock-');

/** All that was made of the turns. */
async function resultOf(name: string) {
  await using ctx = await open(name, NOW);
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
  await cp(join(room, 'told'), join(room, 'calm'), { recursive: true });
  expect(await work('calm', 'never', '')).toBe(true);
  const calm = await resultOf('calm');
  expect(calm.jobs).toEqual([]);
  expect(calm.episodes.length).toBeGreaterThanOrEqual(3);

  // Where one order kills before a commit, the other kills after the one before it.
  const kinds = ['after', 'before'] as const;
  for (const order of [kinds, kinds.toReversed()]) {
    let kills = 0;
    const folder = () => `${order[0]} ${kills}`;
    await cp(join(room, 'told'), join(room, folder()), { recursive: true });
    while (!(await work(folder(), order[kills % 2] as When, `${order[0]} ${kills + 1}`))) {
      kills += 1;
      expect(kills).toBeLessThan(MOST_KILLS);
    }
    expect(kills).toBeGreaterThan(4);
    expect(await resultOf(folder())).toEqual(calm);
  }
});
