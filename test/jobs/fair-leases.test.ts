import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LeasedJob } from '../../src/db/operations/leased-job.ts';
import { LANES, type Lane, type Step } from '../../src/pipeline.ts';
import { stepsIn } from '../../src/steps.ts';
import { LEASE_WAYS, leasing } from '../support/database/lease-ways.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
afterEach(() => world[Symbol.asyncDispose]());

const NOTHING = { facts: 0, rows: 0, vectors: 0, segments: 0, language: 0 };
/** Jobs of a step for a user's threads, the first of them due for this many seconds. */
const add = (userId: string, count: number, dueFor: number, step = 'compact-thread') =>
  world.ctx.db.pool.query(
    `WITH known AS (INSERT INTO users (user_id) VALUES ($1) ON CONFLICT DO NOTHING)
     INSERT INTO jobs (user_id, step, subject, run_at)
     SELECT $1, $2, n, $4::timestamptz - make_interval(secs => $5) + n * interval '1 ms'
     FROM generate_series(1, $3::int) AS n ON CONFLICT DO NOTHING`,
    [userId, step, count, world.now, dueFor],
  );
const lease = (free: number, running?: readonly LeasedJob[]) =>
  world.ctx.deployment().jobs.lease('w', world.now, 15, { ...NOTHING, language: free }, running);
/** Takes one after another, each done before the next. */
const served = async (count: number) => {
  const users: string[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const [job] = await lease(1);
    if (!job) break;
    users.push(job.userId);
    await world.ctx.deployment().jobs.finish('w', job, null, world.now);
  }
  return users;
};

describe.each(LEASE_WAYS)('jobs leased %s', (way) => {
  beforeEach(async () => {
    world = leasing(await createWorld({ EMBEDDER: 'none' }), way);
  });

  it('a user with hundreds of threads does not delay other users', async () => {
    await add('hog', 450, 60);
    expect(await served(3)).toEqual(['hog', 'hog', 'hog']);
    await add('ann', 2, 1);
    await add('bob', 2, 1);
    const next = await served(7);
    expect(next.filter((userId) => userId !== 'hog').sort()).toEqual(['ann', 'ann', 'bob', 'bob']);
    expect(await served(2)).toEqual(['hog', 'hog']);
  });

  it('two users with many jobs are served in turns, and later jobs do not go first', async () => {
    await add('ann', 100, 60);
    await add('bob', 100, 50);
    const first = await served(20);
    expect(first.filter((userId) => userId === 'ann')).toHaveLength(10);
    await add('ann', 200, 40);
    const then = await served(20);
    expect(then.filter((userId) => userId === 'bob')).toHaveLength(10);
  });

  it('a job that continues goes behind the waiting jobs of other users', async () => {
    await add('hog', 5, 60);
    await lease(0);
    await add('ann', 5, 50);
    const users: string[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const [job] = await lease(1);
      if (!job) throw new Error('nothing was leased');
      users.push(job.userId);
      await world.ctx.deployment().jobs.finish('w', job, world.now, world.now);
    }
    expect(users.filter((userId) => userId === 'ann')).toHaveLength(4);
  });

  it('the job of a new user goes before those of all users whose jobs continue', async () => {
    for (let user = 0; user < 20; user += 1) await add(`hog${user}`, 1, 60);
    for (let turn = 0; turn < 30; turn += 1) {
      const [job] = await lease(1);
      if (!job) throw new Error('nothing was leased');
      await world.ctx.deployment().jobs.finish('w', job, world.now, world.now);
    }
    world.now = new Date(world.now.getTime() + 5_000);
    await add('ann', 1, 1);
    await add('bob', 1, 1);
    const next = await lease(3);
    expect(next.map(({ userId }) => userId)).toEqual(expect.arrayContaining(['ann', 'bob']));
  });

  it('a continued job that is triggered much later goes in line as a new one', async () => {
    await add('ann', 1, 60);
    const [job] = await lease(1);
    if (!job) throw new Error('nothing was leased');
    const later = new Date(world.now.getTime() + 3_600_000);
    await world.ctx.deployment().jobs.finish('w', job, later, world.now);
    const { rows } = await world.ctx.db.pool.query<{ place: string | null }>(
      'SELECT place FROM jobs',
    );
    expect(rows).toEqual([{ place: null }]);
  });

  it('one user leaves one place of each lane to others, but may fill a lane with a single place', async () => {
    await add('hog', 10, 60);
    const running = await lease(4, []);
    expect(running).toHaveLength(3);
    expect(await lease(1, running)).toEqual([]);
    await add('ann', 1, 1);
    expect(await lease(1, running)).toMatchObject([{ userId: 'ann' }]);
    expect(await lease(1, [])).toHaveLength(1);
  });

  it('a worker does not lease its own running job again when the clock jumps ahead', async () => {
    await add('ann', 1, 1);
    const running = await lease(1);
    expect(running).toHaveLength(1);
    world.now = new Date(world.now.getTime() + 30 * 86_400_000);
    expect(await lease(1, running)).toEqual([]);
  });
});

it('the lanes in the table are the lanes of the steps', async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  const { pool } = world.ctx.db;
  await pool.query("INSERT INTO users (user_id) VALUES ('ann')");
  for (const lane of LANES) {
    for (const step of stepsIn(lane)) await add('ann', 1, 1, step);
  }
  const { rows } = await pool.query<{ lane: string; step: string }>('SELECT lane, step FROM jobs');
  for (const { lane, step } of rows)
    expect([lane, step, stepsIn(lane as Lane).includes(step as Step)]).toEqual([lane, step, true]);
});
