import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { store } from '../../src/db/store.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { LEASE_WAYS, leasing } from '../support/database/lease-ways.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
afterEach(() => world[Symbol.asyncDispose]());

const NOTHING = { facts: 0, rows: 0, vectors: 0, segments: 0, language: 0 };
const add = (step: string, count: number) =>
  world.ctx.db.pool.query(
    `WITH known AS (INSERT INTO users (user_id) VALUES ('ann') ON CONFLICT DO NOTHING)
     INSERT INTO jobs (user_id, step, subject, run_at) SELECT 'ann', $1, n, $3::timestamptz - interval '1 s'
     FROM generate_series(1, $2::int) AS n ON CONFLICT DO NOTHING`,
    [step, count, world.now],
  );
const lease = (worker: string, free: Partial<typeof NOTHING>) =>
  world.ctx.deployment().jobs.lease(worker, world.now, 15, { ...NOTHING, ...free });
const later = (seconds: number) => {
  world.now = new Date(world.now.getTime() + seconds * 1000);
};

describe.each(LEASE_WAYS)('jobs leased %s', (way) => {
  beforeEach(async () => {
    world = leasing(await createWorld({ EMBEDDER: 'none' }), way);
  });

  it('a worker leases no more jobs than it has room for in each lane, whatever the statistics of the table', async () => {
    await world.ctx.db.pool.query(
      "INSERT INTO users (user_id) VALUES ('ann') ON CONFLICT DO NOTHING",
    );
    await add('trim-events', 1);
    await world.ctx.db.pool.query('ANALYZE jobs');
    await add('compact-thread', 60);
    await add('index-turns', 60);
    const steps = (await lease('a', { rows: 3, language: 2 })).map(({ step }) => step);
    expect(steps.filter((step) => step === 'compact-thread')).toHaveLength(2);
    expect(steps).toHaveLength(5);
    expect(await lease('a', { rows: -1 })).toEqual([]);
  });

  it('a worker keeps only the jobs that it renews, and other workers take over the rest', async () => {
    await add('index-turns', 2);
    const [held] = await lease('a', { rows: 2 });
    later(10);
    await world.ctx.deployment().jobs.renew('a', world.now, 15, held ? [held] : []);
    later(6);
    const taken = await lease('b', { rows: 10 });
    expect(taken.map(({ subject }) => subject)).toEqual([held?.subject === 1 ? 2 : 1]);
  });

  it('a worker leases a job again whose end a crash of the database undid, but none that it still runs', async () => {
    await add('index-turns', 2);
    const [lost, running] = await lease('a', { rows: 2 });
    if (!lost || !running) throw new Error('Two jobs should have been leased.');
    const again = () =>
      world.ctx.deployment().jobs.lease('a', world.now, 15, { ...NOTHING, rows: 10 }, [running]);
    expect(await again()).toEqual([]);
    later(16);
    expect(await again()).toMatchObject([{ subject: lost.subject }]);
    expect(await again()).toEqual([]);
  });

  it('an idle worker learns when the next job is due, also of one that it may not lease; dead jobs are never due', async () => {
    const nextDue = () => world.ctx.deployment().jobs.nextDue();
    expect(await nextDue()).toBeNull();
    await add('index-turns', 1);
    await lease('a', { rows: 1 });
    await add('compact-thread', 1);
    const at = (seconds: number) => new Date(world.now.getTime() + seconds * 1000);
    await world.ctx.db.pool.query(`UPDATE jobs SET run_at = $1 WHERE step = 'compact-thread'`, [
      at(60),
    ]);
    expect(await nextDue()).toEqual(at(-1));
    await world.ctx.db.pool.query(
      `UPDATE jobs SET dead_at = $1, locked_by = NULL, locked_until = NULL WHERE step = 'index-turns'`,
      [at(0)],
    );
    expect(await nextDue()).toEqual(at(60));
  });

  it('a step has at least two attempts left, however often its worker is killed', async () => {
    await add('index-turns', 1);
    for (let kill = 0; kill < 8; kill += 1) {
      await lease(`killed ${kill}`, { rows: 1 });
      later(16);
    }
    expect(await lease('lives', { rows: 1 })).toMatchObject([{ attempts: 4 }]);
  });

  it('a job that waits for a model is due at once after a restart', async () => {
    await add('compact-thread', 1);
    const [job] = await lease('a', { language: 1 });
    if (!job) throw new Error('nothing was leased');
    const tomorrow = new Date(world.now.getTime() + 86_400_000);
    await world.ctx.deployment().jobs.park('a', job, 'spent', tomorrow, world.now);
    expect(await lease('a', { language: 1 })).toEqual([]);
    using _ = world.configured({ workers: 0 });
    await (await startWorker(world.ctx))[Symbol.asyncDispose]();
    expect(await lease('a', { language: 1 })).toMatchObject([{ attempts: 1 }]);
  });

  it('a job is leased by one of two workers that look at the same time', async () => {
    await add('index-turns', 6);
    const both = await Promise.all([lease('a', { rows: 6 }), lease('b', { rows: 6 })]);
    const rest = await lease('c', { rows: 6 });
    const subjects = [...both.flat(), ...rest].map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('a trigger that comes between the lease and the end of a run makes the job run again', async () => {
    await add('index-turns', 1);
    const [job] = await lease('a', { rows: 1 });
    if (!job) throw new Error('nothing was leased');
    const draft = { step: 'index-turns' as const, subject: 1, runAt: world.now };
    await world.ctx.db.asUser('ann', (tx) => store.jobs.add(tx, [draft]));
    await world.ctx.deployment().jobs.finish('a', job, null, world.now);
    expect(await lease('a', { rows: 1 })).toMatchObject([{ subject: 1, triggers: 2 }]);
  });
});
