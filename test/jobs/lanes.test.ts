import { afterAll, beforeAll, expect, it } from 'vitest';
import { runJob } from '../../src/jobs/run-job.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

async function createOwnWorld() {
  const own = await createWorld({ WORKERS: '1', EMBEDDER: 'none' });
  own.configured({ debounce: {} });
  return own;
}

let world: World;
beforeAll(async () => {
  world = await createOwnWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const indexed = async (userId: string) =>
  (await world.ctx.db.pool.query('SELECT 1 FROM postings WHERE user_id = $1', [userId])).rowCount;

/** The reasoner of a world, whose descriptions of segments wait for `answer`. `asked`: how many have been asked for. */
function slowReasoner({ ctx }: World) {
  let asked = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { reasoner } = ctx;
  const describeSegment: typeof reasoner.describeSegment = async (input, call) => {
    asked += 1;
    await answered;
    return reasoner.describeSegment(input, call);
  };
  return { reasoner: { ...reasoner, describeSegment }, asked: () => asked, answer };
}

it('a slow model does not delay other steps', async () => {
  const model = slowReasoner(world);
  world.with({
    reasoner: model.reasoner,
  });
  const slow = await world.user('slow');
  await sayAt(slow, '07:00', 'the heron stood in the pond');
  await sayAt(slow, '08:50', 'the heron flew away');
  await using _worker = await startWorker(world.ctx);
  await expect.poll(model.asked).toBe(1);

  await sayAt(await world.user('quick'), '08:55', 'the otter came instead');
  await expect.poll(() => indexed('quick')).toBeGreaterThan(0);
  expect(model.asked()).toBe(1);
  model.answer();
});

it('facts of the first job in a line are read and stored like a request, those of a job that continues are not', async () => {
  const { db } = world.ctx;
  const urgencies: string[] = [];
  const noted = (urgency: string, of: typeof db): typeof db => ({
    ...of,
    asUser: (...call) => {
      urgencies.push(urgency);
      return of.asUser(...call) as never;
    },
  });
  using _ = world.with({
    db: { ...noted('request', db), background: noted('background', db.background) },
  });
  const job = { userId: 'quick', step: 'extract-facts', subject: 0, triggers: 1 } as const;
  const lease = { attempts: 1, eraseEpoch: 0, traceparent: null };
  await runJob(world.ctx, 'w', { ...job, ...lease, place: 4 });
  expect(new Set(urgencies.splice(0))).toEqual(new Set(['request']));
  await runJob(world.ctx, 'w', { ...job, ...lease, place: 5 });
  expect(new Set(urgencies)).toEqual(new Set(['background']));
});

it('while requests leave the main thread no time, each lane runs one step at a time', async () => {
  // Of its own: steps of the other tests would be asked for, too.
  await using own = await createOwnWorld();
  const model = slowReasoner(own);
  const { load } = own.ctx;
  let [isHigh, looks] = [true, 0];
  using _ = own.with({
    load: {
      ...load,
      isHigh: () => {
        looks += 1;
        return isHigh;
      },
    },
    reasoner: model.reasoner,
  });
  for (const name of ['first', 'second']) {
    const user = await own.user(name);
    await sayAt(user, '07:00', 'the kingfisher sat on the bridge');
    await sayAt(user, '08:50', 'the kingfisher caught a trout');
  }
  await using _worker = await startWorker(own.ctx);
  await expect.poll(model.asked).toBe(1);
  const third = await own.user('third');
  for (const minute of ['08:51', '08:52', '08:53', '08:54']) {
    const before = looks;
    await sayAt(third, minute, 'the kingfisher was gone');
    await expect.poll(() => looks).toBeGreaterThan(before);
  }
  expect(model.asked()).toBe(1);
  isHigh = false;
  await sayAt(third, '08:55', 'the kingfisher came back');
  await expect.poll(model.asked).toBe(2);
  model.answer();
});

it('what an import has cut already is captured while its other threads wait to be cut', async () => {
  await using own = await createOwnWorld();
  const ada = await own.user('ada');
  await sayAt(ada, '07:00', 'the heron stood in the pond');
  await own.ctx.db.pool.query(
    `INSERT INTO jobs (user_id, step, subject, run_at)
     SELECT 'ada', s.step, n, $1::timestamptz - interval '1 s'
     FROM (VALUES ('segment-thread', 40), ('capture-segments', 1)) AS s(step, count), generate_series(1, s.count) AS n
     ON CONFLICT DO NOTHING`,
    [own.now],
  );
  const places = { facts: 0, rows: 0, vectors: 0, segments: 3, language: 3 };
  const leased = await own.ctx.deployment().jobs.lease('w', own.now, 15, places);
  expect(leased.map(({ step }) => step).sort()).toEqual([
    'capture-segments',
    ...Array<string>(3).fill('segment-thread'),
  ]);
});
