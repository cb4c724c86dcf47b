import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CLOSE, FLIGHT, memoryOf, ranges, TAP, talk } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-02T09:00:00Z');
});
afterEach(() => world.restore());

const COMPACT_STUCK = graphql(`
  mutation CompactStuck($threadId: ID!) {
    compact(threadId: $threadId) {
      __typename
    }
  }
`);
const DEAD_JOBS = graphql(`
  query DeadJobs {
    viewer {
      jobs(first: 20) {
        edges {
          node {
            id
            step
            state
          }
        }
      }
    }
  }
`);
const RETRY_DEAD = graphql(`
  mutation RetryDead($jobId: ID!) {
    retryJob(jobId: $jobId) {
      __typename
    }
  }
`);

const deadJobs = async (client: Client) => {
  const { viewer } = await client.execute(DEAD_JOBS);
  return (viewer?.jobs.edges ?? []).map(({ node }) => node).filter(({ state }) => state === 'DEAD');
};

const pass = async (minutes: number) => {
  world.now = new Date(world.now.getTime() + minutes * 60_000);
  await world.settle();
};

const TURNS = Array.from({ length: 45 }, (_, at) => [...TAP, ...FLIGHT][at % 12] as string);

/** Says 45 turns in a thread that stays open for two hours more, and whose segmentation fails for good. */
async function stuck(client: Client): Promise<string> {
  const { reasoner } = world.ctx;
  const failing = { ...reasoner, findBoundaries: () => Promise.reject(new Error('a defect')) };
  world.with({ reasoner: failing, builtInReasoner: failing });
  const [first] = await say(client, {
    channel: 'web',
    newThread: { title: 'Long', inactivityTimeoutMinutes: 120 },
    turns: talk(TURNS, '2026-03-02T08:59:00Z', 1_000),
  });
  await world.settle();
  for (let attempt = 2; attempt <= 5; attempt += 1) await pass(3);
  expect(await deadJobs(client)).toMatchObject([{ step: 'segment-thread' }]);
  return first?.thread.id ?? '';
}

it('a thread that cannot be cut is summarised on demand', async () => {
  const client = await world.user('asked');
  const threadId = await stuck(client);
  expect((await memoryOf(client)).thread.summary).toBeNull();
  await client.execute(COMPACT_STUCK, { threadId });
  await world.settle();
  const { thread } = await memoryOf(client);
  expect(thread).toMatchObject({ state: 'OPEN', segments: [], compactedThrough: 45 });
  expect(thread.summary).toMatch(/washer|tap|flight/i);
});

it('a thread that cannot be cut is summarised when it is silent; once its step is tried again, it has its episodes', async () => {
  const client = await world.user('silent');
  await stuck(client);
  await pass(60);
  expect((await memoryOf(client)).thread).toMatchObject({ state: 'OPEN', summary: null });
  await pass(61);
  const { thread } = await memoryOf(client);
  expect(thread).toMatchObject({ state: 'IDLE', segments: [], compactedThrough: 45 });
  expect(thread.summary).toMatch(/washer|tap|flight/i);
  world.restore();
  const [job] = await deadJobs(client);
  await client.execute(RETRY_DEAD, { jobId: job?.id ?? '' });
  await world.settle();
  const { segments, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(ranges(segments).at(-1)?.[1]).toBe(45);
  expect(segments.every(({ capture }) => capture !== 'PENDING')).toBe(true);
  expect(await deadJobs(client)).toEqual([]);
});

it('a thread that cannot be cut is summarised when it is closed, or was closed before', async () => {
  const client = await world.user('closed');
  const threadId = await stuck(client);
  await client.execute(CLOSE, { threadId });
  await world.settle();
  expect((await memoryOf(client)).thread).toMatchObject({ state: 'CLOSED', compactedThrough: 45 });
  const before = await world.user('closed-before');
  world.restore();
  const { reasoner } = world.ctx;
  const failing = { ...reasoner, findBoundaries: () => Promise.reject(new Error('a defect')) };
  world.with({ reasoner: failing, builtInReasoner: failing });
  await say(before, { channel: 'sms', turns: talk(TURNS, '2026-03-02T06:00:00Z', 1_000) });
  for (let attempt = 1; attempt <= 5; attempt += 1) await pass(3);
  expect(await deadJobs(before)).toMatchObject([{ step: 'segment-thread' }]);
  expect((await memoryOf(before)).thread).toMatchObject({ state: 'IDLE', compactedThrough: 45 });
});
