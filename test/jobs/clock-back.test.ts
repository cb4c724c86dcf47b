import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorker } from '../../src/jobs/worker.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  await sayAt(await world.user('ann'), '08:00', 'My cat is called Luna.');
});
afterEach(() => world[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const rows = async (sql: string) => (await world.ctx.db.pool.query(sql)).rows;
const indexing = () => rows(`SELECT step FROM jobs WHERE step = 'index-turns'`);
/** How often the worker has looked for jobs; on distributed tables it looks before it leases. */
const looked = () => world.sent(/^jobs-(?:lease|look)$/).length;
const goBack = () => {
  world.now = new Date(world.now.getTime() - HOUR);
};

it('a job that was about to run still runs when the clock goes back', async () => {
  await rows(
    `UPDATE jobs SET run_at = '2026-03-02T09:00:05Z' WHERE run_at <= '2026-03-02T09:00:00Z'`,
  );
  const [later] = await rows(`
    INSERT INTO jobs (user_id, step, subject, run_at) VALUES ('ann', 'trim-events', 7, '2026-03-02T12:00:00Z')
    RETURNING run_at`);
  await using _worker = await startWorker(world.ctx);
  await expect.poll(looked).toBeGreaterThan(0);
  expect(await indexing()).toHaveLength(1);
  goBack();
  await expect.poll(indexing).toEqual([]);
  expect(await rows('SELECT run_at FROM jobs WHERE subject = 7')).toEqual([later]);
});

it('a job of a dead worker is taken over as early as before when the clock goes back', async () => {
  await using _worker = await startWorker(world.ctx);
  await expect.poll(indexing).toEqual([]);
  await rows(`
    INSERT INTO jobs (user_id, step, subject, run_at, locked_by, locked_until, attempts)
    VALUES ('ann', 'index-turns', 0, '2026-03-02T08:59:00Z', 'dead', '2026-03-02T09:00:10Z', 1)`);
  goBack();
  const left = () => rows(`SELECT locked_until FROM jobs WHERE locked_by = 'dead'`);
  await expect.poll(left).toEqual([{ locked_until: new Date('2026-03-02T08:00:15Z') }]);
  world.now = new Date('2026-03-02T08:59:30Z');
  await expect.poll(indexing).toEqual([]);
});

const DAY = 24 * HOUR;
const waitingLong = () =>
  rows(
    `SELECT step, run_at FROM jobs WHERE run_at > '2026-03-05T00:00:00Z' AND step <> 'trim-events'`,
  );

it.each([
  ['while a server runs', false],
  ['while none runs', true],
])(
  'jobs that were planned while the clock was a month ahead are planned again when it is corrected %s',
  async (_, isStopped) => {
    const right = world.now;
    world.now = new Date(right.getTime() + 30 * DAY);
    let worker = await startWorker(world.ctx);
    const { body } = await (await world.user('ann')).post({
      query:
        'mutation { remember(input: { channel: "sms", turns: [{ text: "It flew." }] }) { __typename } }',
    });
    expect(body).toMatchObject({ data: { remember: { __typename: 'RememberPayload' } } });
    await expect.poll(() => rows('SELECT 1 FROM server_clock')).toHaveLength(1);
    await expect.poll(waitingLong).not.toEqual([]);
    if (isStopped) await worker[Symbol.asyncDispose]();
    world.now = right;
    if (isStopped) worker = await startWorker(world.ctx);
    await expect.poll(waitingLong).toEqual([]);
    expect(await rows('SELECT step FROM jobs WHERE dead_at IS NOT NULL')).toEqual([]);
    await worker[Symbol.asyncDispose]();
  },
);
