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
      threads(first: 3) {
        edges {
          node {
            id
            state
            turnCount
            summary
            window {
              number
            }
            primaryEpisode {
              id
              kind
              title
              micro
              meso
              generatedBy
              model
              firstTurn
              lastTurn
              sentence
            }
            segments(first: 10) {
              edges {
                node {
                  kind
                  firstTurn
                  lastTurn
                  startedAt
                  endedAt
                  durationSeconds
                  partOfDay
                  capture
                  captureReason
                  title
                  summary
                  surprise
                  stability
                  parent {
                    id
                  }
                  turns {
                    text
                  }
                }
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
      jobs(first: 20) {
        edges {
          node {
            step
            lastError
          }
        }
      }
    }
  }
`);
const CLOSE = graphql(`
  mutation CloseSegmented($threadId: ID!) {
    closeThread(threadId: $threadId) {
      __typename
    }
  }
`);
const FORGET = graphql(`
  mutation ForgetSegmented($input: ForgetInput!) {
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
  const threads = (viewer?.threads.edges ?? []).map(({ node }) => ({
    ...node,
    segments: node.segments.edges.map((edge) => edge.node),
  }));
  const jobs = (viewer?.jobs.edges ?? []).map(({ node }) => node);
  return {
    thread: threads[0] as (typeof threads)[number],
    threads,
    events: (viewer?.events.edges ?? []).map(({ node }) => node),
    errors: jobs.filter(({ lastError }) => lastError),
  };
}

const TAP = [
  'The kitchen tap drips all night, can I mend it myself?',
  'Turn the water off under the sink and unscrew the handle of the tap.',
  'The handle is off, and under it there is a brown rubber washer.',
  'Take that washer to the shop and buy the same size, 12 mm I think.',
  'The new washer is in and the tap does not drip any more.',
  'Well done, that tap will hold for years.',
];
const FLIGHT = [
  'I need a flight from Oslo to Lisbon on Friday 13 March for two people.',
  'There is one at 09:40 by way of Frankfurt and one at 14:05 direct.',
  'The direct flight, please, with two suitcases.',
  'Booked: flight TP 751 at 14:05, seats 12A and 12B, 412 euros.',
  'Is the flight on time, and which gate is it?',
  'The flight is on time, from gate 22.',
];
const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 6, minute)).toISOString();
const talk = (texts: string[], from = 0) =>
  texts.map((text, index) => ({
    role: index % 2 ? ('ASSISTANT' as const) : ('USER' as const),
    text,
    occurredAt: at(from + index),
  }));
const ranges = (segments: { firstTurn: number; lastTurn: number }[]) =>
  segments.map(({ firstTurn, lastTurn }) => [firstTurn, lastTurn]);

it('an idle thread is cut where its topic changes; every turn is in exactly one segment', async () => {
  const client = await world.user('two-topics');
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT]) });
  await world.settle();
  const { thread, events, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(thread.state).toBe('IDLE');
  expect(ranges(thread.segments)).toEqual([
    [1, 6],
    [7, 12],
  ]);
  for (const [index, segment] of thread.segments.entries()) {
    expect(segment.turns.map(({ text }) => text)).toEqual([TAP, FLIGHT][index]);
    expect(segment).toMatchObject({
      kind: 'SEGMENT',
      partOfDay: 'MORNING',
      durationSeconds: 300,
      parent: { id: thread.primaryEpisode?.id },
    });
    expect(segment.capture).not.toBe('PENDING');
    expect(segment.title).toMatch(/\w/);
  }
  expect(thread.primaryEpisode).toMatchObject({
    kind: 'PRIMARY',
    generatedBy: 'EXTRACTIVE',
    firstTurn: 1,
    lastTurn: 12,
  });
  expect(thread.primaryEpisode?.sentence).toMatch(/^On 2026-03-02 \(W10, 2026\) we discussed /);
  expect(thread.summary).toBe(thread.primaryEpisode?.micro);
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'SEGMENT_CLOSED')).toHaveLength(2);
  expect(kinds).toContain('THREAD_COMPACTED');
});

it('at 20 pending turns the oldest are compressed; the newest 10 stay in the window', async () => {
  const client = await world.user('window');
  const turns = talk([
    ...TAP,
    ...FLIGHT,
    ...TAP.map((text) => `Again: ${text}`),
    'And now?',
    'Now you rest.',
  ]);
  await say(client, { channel: 'web', newThread: { title: 'Long' }, turns });
  await world.settle();
  const { thread, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(thread.state).toBe('OPEN');
  const through = thread.segments.at(-1)?.lastTurn ?? 0;
  expect(through).toBeGreaterThanOrEqual(6);
  expect(through).toBeLessThan(20);
  const first = Math.min(through, 10) + 1;
  expect(thread.window.map(({ number }) => number)).toEqual(
    Array.from({ length: 20 - first + 1 }, (_, index) => first + index),
  );
});

it('a thread that has grown goes on behind its closed segments', async () => {
  const client = await world.user('grown');
  await say(client, { channel: 'sms', turns: talk(TAP) });
  await world.settle();
  await say(client, { channel: 'sms', turns: talk(FLIGHT, 20) });
  await world.settle();
  const { threads, thread } = await memoryOf(client);
  expect(threads).toHaveLength(1);
  const own = ranges(thread.segments);
  expect(own[0]).toEqual([1, 6]);
  expect(own.at(-1)?.[1]).toBe(12);
  expect(thread.primaryEpisode).toMatchObject({ lastTurn: 12 });
});

it('a late turn inside a closed segment belongs to it, and it is captured again', async () => {
  const client = await world.user('late');
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT]) });
  await world.settle();
  const late = {
    text: 'Mind the cold water, it squirts!',
    occurredAt: at(2).replace('00.000', '30.000'),
  };
  await say(client, { channel: 'sms', turns: [late] });
  expect(ranges((await memoryOf(client)).thread.segments)).toEqual([
    [1, 7],
    [8, 13],
  ]);
  await world.settle();
  const { thread, events } = await memoryOf(client);
  expect(ranges(thread.segments)).toEqual([
    [1, 7],
    [8, 13],
  ]);
  expect(thread.segments[0]?.turns[3]?.text).toBe(late.text);
  expect(thread.segments.map(({ capture }) => capture)).not.toContain('PENDING');
  expect(events.filter(({ kind }) => /^EPISODE_/.test(kind))).toHaveLength(3);
});

it('what is forgotten is gone from segments, episodes and summaries; they are made anew from the rest', async () => {
  const client = await world.user('forgetful');
  const turns = await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT]) });
  await world.settle();
  const booked = turns.find(({ text }) => text.startsWith('Booked'));
  const { forget } = await client.execute(FORGET, { input: { turnId: booked?.id ?? '' } });
  expect(forget).toMatchObject({ __typename: 'ForgottenCounts', turns: 1, episodes: 2 });
  const right = (await memoryOf(client)).thread;
  expect(ranges(right.segments)).toEqual([
    [1, 6],
    [7, 11],
  ]);
  expect(right.segments[1]).toMatchObject({ capture: 'PENDING', title: null, summary: null });
  expect(right.primaryEpisode).toMatchObject({ title: null, micro: null, meso: null });
  await world.settle();
  const { thread } = await memoryOf(client);
  expect(thread.segments[1]?.capture).not.toBe('PENDING');
  expect(thread.primaryEpisode?.micro).toMatch(/\w/);
  const { rows } = await world.ctx.db.pool.query(
    `SELECT (SELECT count(*)::int FROM episodes e WHERE e::text ILIKE '%TP 751%') AS episodes`,
  );
  expect(rows).toEqual([{ episodes: expect.any(Number) }]);
  expect(JSON.stringify(thread)).not.toContain('TP 751');
});

it('a thread that is closed by hand is cut at once; one that goes on is not', async () => {
  const client = await world.user('closed');
  const { thread } = await sayAt(client, '08:55', TAP[0] as string);
  await world.settle();
  expect((await memoryOf(client)).thread.primaryEpisode).toBeNull();
  await client.execute(CLOSE, { threadId: thread.id });
  await world.settle();
  const closed = (await memoryOf(client)).thread;
  expect(ranges(closed.segments)).toEqual([[1, 1]]);
  expect(closed.primaryEpisode?.micro).toMatch(/\w/);
});
