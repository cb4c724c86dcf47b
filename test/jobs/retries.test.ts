import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker } from '../../src/jobs/worker.ts';
import { graphql } from '../support/generated/gql.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const JOBS = graphql(`
  query Jobs {
    viewer {
      jobs(first: 20) {
        edges {
          node {
            id
            step
            state
            attempts
            lastError
          }
        }
      }
      events(first: 50) {
        edges {
          node {
            kind
            decision
          }
        }
      }
    }
  }
`);
const RETRY = graphql(`
  mutation Retry($jobId: ID!) {
    retryJob(jobId: $jobId) {
      __typename
      ... on Job {
        state
        attempts
      }
    }
  }
`);
const indexed = async (userId: string) => {
  const { rows } = await world.ctx.db.pool.query(
    `SELECT (SELECT count(*)::int FROM turn_vectors WHERE user_id = $1) AS vectors,
      (SELECT count(DISTINCT turn_id)::int FROM postings WHERE user_id = $1) AS turns`,
    [userId],
  );
  return rows[0];
};
const jobsOf = async (client: Client) => {
  const { viewer } = await client.execute(JOBS);
  return (viewer?.jobs.edges ?? [])
    .map(({ node }) => node)
    .filter((job) => job.step.endsWith('-turns'));
};

it('a step that keeps failing becomes visibly dead, and retryJob runs it again', async () => {
  const client = await world.user('dead');
  const { embedder } = world.ctx;
  if (!embedder) throw new Error('these tests need an embedder');
  world.with({
    embedder: { ...embedder, embed: () => Promise.reject(new Error('model is away')) },
  });
  await sayAt(client, '08:00', 'hello pelican');
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await world.settle();
    world.now = new Date(world.now.getTime() + 200_000);
  }
  const [job] = await jobsOf(client);
  expect(job).toMatchObject({
    step: 'embed-turns',
    state: 'DEAD',
    attempts: 5,
    lastError: 'Error: model is away',
  });
  const { viewer } = await client.execute(JOBS);
  expect(viewer?.events.edges.map(({ node }) => node)).toContainEqual({
    kind: 'JOB_DIED',
    decision: 'job.die embed-turns (5 attempts)',
  });
  expect(await indexed('dead')).toEqual({ vectors: 0, turns: 1 });
  await sayAt(client, '08:01', 'another pelican');
  await world.settle();
  expect(await jobsOf(client)).toMatchObject([{ step: 'embed-turns', state: 'DEAD' }]);
  expect(await indexed('dead')).toEqual({ vectors: 0, turns: 2 });
  world.restore();
  const stranger = await world.user('dead-stranger');
  const foreign = await stranger.execute(RETRY, { jobId: job?.id ?? '' });
  expect(foreign.retryJob).toMatchObject({ __typename: 'NotFoundError' });
  const retried = await client.execute(RETRY, { jobId: job?.id ?? '' });
  expect(retried.retryJob).toMatchObject({ state: 'WAITING', attempts: 0 });
  await world.settle();
  expect(await jobsOf(client)).toEqual([]);
  expect(await indexed('dead')).toEqual({ vectors: 2, turns: 2 });
});

it('retryJob refuses a job that runs, a job that has finished, and an API key that names no user', async () => {
  const client = await world.user('retried');
  await sayAt(client, '08:00', 'hello gannet');
  const [job] = await jobsOf(client);
  const retry = async (who = client) =>
    (await who.execute(RETRY, { jobId: job?.id ?? '' })).retryJob;
  const setLease = (by: string | null) =>
    world.ctx.db.pool.query('UPDATE jobs SET locked_by = $2 WHERE user_id = $1', ['retried', by]);
  expect(await retry()).toMatchObject({ __typename: 'Job', state: 'WAITING' });
  await setLease('another worker');
  expect(await retry()).toEqual({ __typename: 'NotFoundError' });
  await setLease(null);
  await world.settle();
  expect(await retry()).toEqual({ __typename: 'NotFoundError' });
  expect(await retry(await world.key())).toEqual({ __typename: 'InvalidInputError' });
});

it('pending turns are indexed after a restart', async () => {
  const client = await world.user('restart');
  await sayAt(client, '08:00', 'before the crash');
  const { ctx } = world;
  const all = { rows: 50, vectors: 50, facts: 50, segments: 50, language: 50 };
  const leased = await ctx.deployment().jobs.lease('a worker that is killed', world.now, 15, all);
  expect(leased.map((job) => job.step)).toContain('index-turns');
  await world.settle();
  expect(await indexed('restart')).toEqual({ vectors: 0, turns: 0 });
  world.now = new Date(world.now.getTime() + 16_000);
  await world.settle();
  expect(await indexed('restart')).toEqual({ vectors: 1, turns: 1 });
});

it('a job that is triggered again while it runs is not lost', async () => {
  const client = await world.user('overlap');
  await sayAt(client, '08:00', 'one');
  const { indexer } = world.ctx;
  using replaced = world.with({
    indexer: {
      ...indexer,
      terms: async (texts) => {
        replaced[Symbol.dispose]();
        await sayAt(client, '08:01', 'two');
        return indexer.terms(texts);
      },
    },
  });
  await world.settle();
  expect(await indexed('overlap')).toEqual({ vectors: 2, turns: 2 });
});

it('two workers on one database index all turns without a failure', async () => {
  const client = await world.user('two-workers');
  using _atOnce = world.configured({ debounce: {} });
  world.now = new Date();
  const workers = [await startWorker(world.ctx), await startWorker(world.ctx)];
  for (let n = 0; n < 20; n += 1) {
    const minute = String(n).padStart(2, '0');
    await sayAt(client, `2026-03-03T08:${minute}:00Z`, `turn number ${n}`);
    world.now = new Date();
  }
  await expect.poll(() => indexed('two-workers')).toEqual({ vectors: 20, turns: 20 });
  await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  const { viewer } = await client.execute(JOBS);
  expect(viewer?.events.edges.filter(({ node }) => node.kind === 'JOB_DIED')).toEqual([]);
});
