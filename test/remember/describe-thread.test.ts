import { afterAll, beforeAll, expect, it } from 'vitest';
import { say, sayAt } from '../support/conversation.ts';
import { graphql } from '../support/generated/gql.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const EPISODES = graphql(`
  query Episodes {
    viewer {
      threads(first: 50) {
        edges {
          node {
            id
            state
            turnCount
            primaryEpisode {
              id
              title
              summary
              topic
              generatedBy
              model
              turnCount
              startedAt
              endedAt
              thread {
                id
              }
            }
          }
        }
      }
      events(first: 100) {
        edges {
          node {
            kind
            decision
          }
        }
      }
      usage {
        step
      }
    }
  }
`);
const CLOSE = graphql(`
  mutation CloseDescribed($threadId: ID!) {
    closeThread(threadId: $threadId) {
      __typename
    }
  }
`);
const FORGET = graphql(`
  mutation ForgetDescribed($input: ForgetInput!) {
    forget(input: $input) {
      __typename
      ... on ForgottenCounts {
        turns
        episodes
      }
    }
  }
`);

async function memoryOf(client: Client) {
  const { viewer } = await client.execute(EPISODES);
  return {
    threads: (viewer?.threads.edges ?? []).map(({ node }) => node),
    events: (viewer?.events.edges ?? []).map(({ node }) => node),
    usage: viewer?.usage,
  };
}

const told = [
  'Luna the cat broke the blue vase in Porto on Monday.',
  'The vet in Gaia can see her on 14 March at 10:30.',
];

it('a thread that turns idle is described by the built-in rules, and marked so', async () => {
  const client = await world.user('built-in');
  await sayAt(client, '08:00', told[0] as string);
  await sayAt(client, '08:01', told[1] as string);
  await world.settle();
  const { threads, events, usage } = await memoryOf(client);
  expect(threads[0]).toMatchObject({
    state: 'IDLE',
    primaryEpisode: {
      generatedBy: 'EXTRACTIVE',
      model: expect.stringMatching(/^extractive\//),
      turnCount: 2,
      startedAt: '2026-03-02T08:00:00.000Z',
      endedAt: '2026-03-02T08:01:00.000Z',
      thread: { id: threads[0]?.id },
    },
  });
  const { title, summary, topic } = threads[0]?.primaryEpisode ?? {};
  for (const text of [title, summary, topic]) expect(text).toMatch(/\w/);
  expect(events.map(({ decision }) => decision)).toContain(
    'thread.describe (2 of 2 turns by extractive/1)',
  );
  expect(usage).toEqual([]);
});

it('a thread that has grown is described again, in place', async () => {
  const client = await world.user('grown');
  await sayAt(client, '08:00', told[0] as string);
  await world.settle();
  const [before] = (await memoryOf(client)).threads;
  await sayAt(client, '08:20', told[1] as string);
  await world.settle();
  const { threads, events } = await memoryOf(client);
  expect(threads).toHaveLength(1);
  expect(threads[0]?.primaryEpisode).toMatchObject({
    id: before?.primaryEpisode?.id,
    turnCount: 2,
  });
  expect(events.filter(({ kind }) => kind === 'THREAD_DESCRIBED')).toHaveLength(2);
});

it('a long thread is described by its newest turns, and says when it began', async () => {
  const client = await world.user('long');
  const turns = Array.from({ length: 260 }, (_, index) => ({
    text: `${told[index % 2]} (${index})`,
    occurredAt: new Date(Date.UTC(2026, 2, 1, 8, 0, index)).toISOString(),
  }));
  await say(client, { channel: 'sms', turns });
  await world.settle();
  const { threads, events } = await memoryOf(client);
  expect(threads[0]?.primaryEpisode).toMatchObject({
    turnCount: 260,
    startedAt: '2026-03-01T08:00:00.000Z',
    endedAt: '2026-03-01T08:04:19.000Z',
  });
  expect(events.map(({ decision }) => decision)).toContain(
    'thread.describe (200 of 260 turns by extractive/1)',
  );
});

it('a thread that is closed by hand is described at once; one that goes on is not', async () => {
  const client = await world.user('closed');
  const { thread } = await sayAt(client, '08:55', told[0] as string);
  await world.settle();
  expect((await memoryOf(client)).threads[0]?.primaryEpisode).toBeNull();
  await client.execute(CLOSE, { threadId: thread.id });
  await world.settle();
  expect((await memoryOf(client)).threads[0]?.primaryEpisode).toMatchObject({ turnCount: 1 });
});

it('a new implicit thread makes the previous one idle, which is then described', async () => {
  const client = await world.user('previous');
  await sayAt(client, '08:00', told[0] as string);
  await sayAt(client, '08:50', told[1] as string);
  await world.settle();
  const described = (await memoryOf(client)).threads.map(
    ({ primaryEpisode }) => primaryEpisode?.turnCount ?? null,
  );
  expect(described).toEqual([null, 1]);
});

it('what is forgotten is gone from the description, which is made anew from the rest', async () => {
  const client = await world.user('forgetful');
  const first = await sayAt(client, '08:00', told[0] as string);
  await sayAt(client, '08:01', told[1] as string);
  await world.settle();
  const { forget } = await client.execute(FORGET, { input: { turnId: first.id } });
  expect(forget).toEqual({ __typename: 'ForgottenCounts', turns: 1, episodes: 1 });
  expect((await memoryOf(client)).threads[0]?.primaryEpisode).toBeNull();
  await world.settle();
  const episode = (await memoryOf(client)).threads[0]?.primaryEpisode;
  expect(episode).toMatchObject({ turnCount: 1 });
  expect(JSON.stringify(episode)).not.toMatch(/Luna|vase|Porto/);
});

it('a description that was in the making when its words were forgotten is not stored', async () => {
  const client = await world.user('in-the-making');
  const { thread } = await sayAt(client, '08:00', told[0] as string);
  await sayAt(client, '08:01', told[1] as string);
  const { reasoner } = world.ctx;
  let forgotten = false;
  world.ctx.reasoner = {
    ...reasoner,
    describeSegment: async (input, call) => {
      const made = await reasoner.describeSegment(input, call);
      if (!forgotten) {
        forgotten = true;
        await client.execute(FORGET, { input: { threadId: thread.id } });
      }
      return made;
    },
  };
  await world.settle();
  world.ctx.reasoner = reasoner;
  expect(forgotten).toBe(true);
  expect((await memoryOf(client)).threads).toEqual([]);
  const { rows } = await world.ctx.db.pool.query(
    "SELECT count(*)::int AS n FROM episodes WHERE user_id = 'in-the-making'",
  );
  expect(rows).toEqual([{ n: 0 }]);
});
