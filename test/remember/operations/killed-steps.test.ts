import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { remember } from '../../../src/remember/turns/remember.ts';
import { tool } from '../../support/command.ts';
import { FLIGHT, TAP, talk } from '../../support/episodes.ts';

const NOW = '2026-03-20T12:00:00Z';
/** When all is due. */
const LATER = '2026-03-20T13:00:00Z';
const MOST_KILLS = 40;

let room: string;
beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'killed-'));
  await using ctx = await open('told');
  const turns = talk([...TAP, ...FLIGHT], '2026-03-02T06:00:00Z').map((turn) => ({
    ...turn,
    occurredAt: new Date(turn.occurredAt),
  }));
  await remember(ctx, { userId: 'ada', threadId: null, input: { channel: 'sms', turns } });
});
afterAll(() => rm(room, { recursive: true, force: true }));

const open = (name: string) => {
  const settings = { DATA_DIR: join(room, name), EMBEDDER: 'none', LOG_LEVEL: 'silent' };
  return createApp(loadConfig(settings), { clock: () => new Date(NOW) });
};

/** Runs the background steps in a process of their own; whether it got to the end. */
const work = (name: string, when: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      tool('faults/kill-while-working', join(room, name), when, LATER),
      (error, stdout, stderr) => {
        if (!error) resolve(stdout.includes('done'));
        else if (error.signal === 'SIGKILL') resolve(false);
        else reject(new Error(stderr));
      },
    );
  });

/** All that was made of the turns. */
async function resultOf(name: string) {
  await using ctx = await open(name);
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
  expect(await work('calm', 'never')).toBe(true);
  const calm = await resultOf('calm');
  expect(calm.jobs).toEqual([]);
  expect(calm.episodes.length).toBeGreaterThanOrEqual(3);

  await cp(join(room, 'told'), join(room, 'killed'), { recursive: true });
  let kills = 0;
  while (!(await work('killed', kills % 2 === 0 ? 'after' : 'before'))) {
    kills += 1;
    expect(kills).toBeLessThan(MOST_KILLS);
  }
  expect(kills).toBeGreaterThan(4);
  expect(await resultOf('killed')).toEqual(calm);
});
