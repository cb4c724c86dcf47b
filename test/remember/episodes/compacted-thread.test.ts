import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FLIGHT, FORGET_MEMORY, memoryOf, TAP, talk } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-02T09:00:00Z');
});

const RECALL = graphql(`
  query RecallArchived($input: RecallInput!) {
    recall(input: $input) {
      ... on RecallPayload {
        hits {
          ... on TurnHit {
            turn {
              text
            }
          }
        }
      }
    }
  }
`);

const SIX = '2026-03-02T06:00:00Z';
/** Turns that tell the same over and over. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => [...TAP, ...FLIGHT][index % 12] as string);

const HABITS = [
  'How do I clear the build cache of the website? Its tests time out.',
  'To clear the build cache: 1) Stop the runner of the website. 2) Delete the folder cache. 3) Start the tests with --fresh.',
  'That worked, the tests of the website run through. I usually clear the cache on Mondays only.',
  'Clearing the cache of the runner solves most of these time-outs.',
  'Now the tests of the shop time out as well, with the same runner.',
  'Clear the cache of the shop, too, then start its tests again.',
  'From now on, when the tests time out, always clear the cache first and then look at the logs.',
  'The cache first, then the logs.',
];

it('summaries are generated correctly: at three lengths, with title and day, and marked', async () => {
  const client = await world.user('habits');
  await say(client, { channel: 'sms', turns: talk(HABITS, SIX) });
  await world.settle();
  const { thread } = await memoryOf(client);
  const { micro, meso, macro, title, summary } = thread.primaryEpisode ?? {};
  expect(thread.summary).toBe(micro);
  expect(summary).toBe(micro);
  expect(micro?.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(3);
  expect((meso ?? '').length).toBeGreaterThanOrEqual((micro ?? '').length);
  expect(macro).toMatch(/cache/i);
  expect(title).toMatch(/\w/);
  expect(thread.primaryEpisode).toMatchObject({
    generatedBy: 'EXTRACTIVE',
    model: 'extractive/1',
    compactedAt: world.now.toISOString(),
    startedAt: '2026-03-02T06:00:00.000Z',
    sentence: expect.stringMatching(/^On 2026-03-02 \(W10, 2026\) we discussed /),
  });
});

it('skills are extracted from episodes, with the turns that show them', async () => {
  const client = await world.user('skilled');
  await say(client, { channel: 'sms', turns: talk(HABITS, SIX) });
  await world.settle();
  const { thread, skills } = await memoryOf(client);
  expect(thread.primaryEpisode?.skills.length).toBeGreaterThan(0);
  for (const { name, description, evidenceTurns } of thread.primaryEpisode?.skills ?? []) {
    expect(name).toMatch(/\w/);
    expect(description).toMatch(/cache|tests/i);
    for (const turn of evidenceTurns) expect(HABITS[turn - 1]).toMatch(/cache|tests/i);
  }
  expect(skills.map(({ name }) => name)).toEqual(
    thread.primaryEpisode?.skills.map(({ name }) => name),
  );
  expect(skills.map(({ useCount }) => useCount)).toEqual(skills.map(() => 1));
  await say(client, { channel: 'sms', turns: talk(HABITS, '2026-03-02T08:00:00Z') });
  await world.settle();
  const again = (await memoryOf(client)).skills;
  expect(again.map(({ name }) => name).sort()).toEqual(skills.map(({ name }) => name).sort());
  expect(again.map(({ useCount }) => useCount)).toEqual(skills.map(() => 2));
});

it('retrieval works after compaction: the turns stay readable and are found', async () => {
  const client = await world.user('archived');
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT], SIX) });
  await world.settle();
  const { thread } = await memoryOf(client);
  expect(thread.compactedThrough).toBe(12);
  expect(thread.segments.flatMap(({ turns }) => turns.map(({ text }) => text))).toEqual([
    ...TAP,
    ...FLIGHT,
  ]);
  const { recall } = await client.execute(RECALL, {
    input: { query: 'Which washer did the tap need?', first: 3 },
  });
  if (!('hits' in recall)) throw new Error('recall was refused');
  expect(recall.hits.flatMap((hit) => ('turn' in hit ? hit.turn.text : [])).join(' ')).toMatch(
    /washer/,
  );
});

it('a thread that has grown is compacted again, and its skills are replaced', async () => {
  const client = await world.user('regrown');
  await say(client, { channel: 'sms', turns: talk(HABITS, SIX) });
  await world.settle();
  const before = (await memoryOf(client)).thread.primaryEpisode;
  await say(client, { channel: 'sms', turns: talk(FLIGHT, '2026-03-02T06:20:00Z') });
  await world.settle();
  const after = (await memoryOf(client)).thread.primaryEpisode;
  expect(after).toMatchObject({ id: before?.id, lastTurn: 14 });
  expect(after?.meso).not.toBe(before?.meso);
  expect(new Set(after?.skills.map(({ name }) => name)).size).toBe(after?.skills.length);
});

it('a thread of hundreds of turns is summarised from its newest turns and the summaries of earlier segments', async () => {
  const client = await world.user('hundreds');
  const start = [...HABITS, ...many(40)];
  const texts = [...start, ...many(300 - start.length)];
  await say(client, { channel: 'sms', turns: talk(texts, '2026-03-01T06:00:00Z', 1_000) });
  const { reasoner } = world.ctx;
  const read: { text: string }[][] = [];
  world.with({
    reasoner: {
      ...reasoner,
      compact: (input, call) => {
        read.push(input.turns);
        return reasoner.compact(input, call);
      },
    },
  });
  await world.settle();
  world.restore();
  const { thread } = await memoryOf(client);
  expect(thread.primaryEpisode).toMatchObject({ firstTurn: 1, lastTurn: 300 });
  const last = read.at(-1) ?? [];
  expect(last.length).toBeLessThan(300);
  expect(last.slice(-200).map(({ text }) => text)).toEqual(texts.slice(-200));
  expect(last[0]?.text).toBe(thread.segments[0]?.micro);
});

it('a thread loses summaries and skills when a turn is forgotten, and gets new ones', async () => {
  const client = await world.user('forgets');
  const turns = await say(client, { channel: 'sms', turns: talk(HABITS, SIX) });
  await world.settle();
  const known = (await memoryOf(client)).skills.length;
  const input = { turnId: turns[1]?.id ?? '' };
  const { forget } = await client.execute(FORGET_MEMORY, { input });
  expect(forget).toMatchObject({ turns: 1, skills: known });
  expect((await memoryOf(client)).skills).toEqual([]);
  expect((await memoryOf(client)).thread.summary).toBeNull();
  await world.settle();
  expect((await memoryOf(client)).thread.summary).toMatch(/\w/);
});
