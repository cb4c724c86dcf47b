import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLOSE, FLIGHT, FORGET_MEMORY, memoryOf, TAP, talk } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-02T09:00:00Z');
});

const COMPACT = graphql(`
  mutation Compact($threadId: ID!) {
    compact(threadId: $threadId) {
      __typename
      ... on Thread {
        id
      }
      ... on Error {
        code
      }
    }
  }
`);
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
const LONG = { channel: 'web', newThread: { title: 'Long', inactivityTimeoutMinutes: 4_000 } };
/** Says turns in a thread that stays open for days. */
const sayLong = async (client: Client, turns: ReturnType<typeof talk>) => {
  const [first] = await say(client, { ...LONG, turns });
  await world.settle();
  return first?.thread.id ?? '';
};
const compacted = async (client: Client) =>
  (await memoryOf(client)).events
    .filter(({ kind }) => kind === 'THREAD_COMPACTED')
    .map(({ decision }) => decision);
/** Turns that tell the same over and over. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => [...TAP, ...FLIGHT][index % 12] as string);

describe('episodes are compacted on trigger', () => {
  it('a thread is compacted when the next one opens, and when it turns idle', async () => {
    const client = await world.user('ends');
    await say(client, { channel: 'sms', turns: talk(TAP, SIX) });
    await say(client, { channel: 'sms', turns: talk(FLIGHT, '2026-03-02T08:55:00Z') });
    await world.settle();
    expect(await compacted(client)).toEqual([
      expect.stringMatching(/^thread\.compact \(6 turns, \d skills, by extractive\/1\)$/),
    ]);
    world.now = new Date('2026-03-02T10:00:00Z');
    await world.settle();
    expect(await compacted(client)).toHaveLength(2);
  });

  it('a thread is compacted when it is closed by hand', async () => {
    const client = await world.user('closes');
    const threadId = await sayLong(client, talk(TAP.slice(0, 3), SIX));
    expect(await compacted(client)).toEqual([]);
    await client.execute(CLOSE, { threadId });
    await world.settle();
    expect(await compacted(client)).toHaveLength(1);
  });

  it('a thread is compacted at 50 turns of closed segments, and again after 50 more', async () => {
    const client = await world.user('fifty');
    world.now = new Date('2026-03-02T07:00:00Z');
    const threadId = await sayLong(client, talk(many(48), SIX, 1_000));
    expect(await compacted(client)).toEqual([]);
    const more = talk(many(24), '2026-03-02T06:01:00Z', 1_000);
    await say(client, { channel: 'web', threadId, turns: more });
    await world.settle();
    expect(await compacted(client)).toHaveLength(1);
    const { thread } = await memoryOf(client);
    expect(thread.state).toBe('OPEN');
    expect(thread.compactedThrough).toBeGreaterThanOrEqual(50);
    expect(thread.compactedThrough).toBe(thread.segments.at(-1)?.lastTurn);
    const again = talk(many(60), '2026-03-02T06:02:00Z', 1_000);
    await say(client, { channel: 'web', threadId, turns: again });
    await world.settle();
    expect((await compacted(client)).length).toBeGreaterThanOrEqual(2);
    expect((await memoryOf(client)).thread.primaryEpisode?.id).toBe(thread.primaryEpisode?.id);
  });

  it('a thread is compacted 24 hours after the first turn that no summary covers', async () => {
    const client = await world.user('day');
    world.now = new Date('2026-03-02T06:30:00Z');
    await sayLong(client, talk([...TAP, ...FLIGHT, ...TAP, ...FLIGHT], SIX, 1_000));
    expect(await compacted(client)).toEqual([]);
    world.now = new Date('2026-03-03T05:59:00Z');
    await world.settle();
    expect(await compacted(client)).toEqual([]);
    world.now = new Date('2026-03-03T06:01:00Z');
    await world.settle();
    expect(await compacted(client)).toHaveLength(1);
    expect((await memoryOf(client)).thread.state).toBe('OPEN');
  });

  it('a thread is compacted on demand with all its turns so far, even while it is open', async () => {
    const client = await world.user('asked');
    const threadId = await sayLong(client, talk(TAP.slice(0, 4), '2026-03-02T08:50:00Z'));
    expect((await memoryOf(client)).thread.primaryEpisode).toBeNull();
    const { compact } = await client.execute(COMPACT, { threadId });
    expect(compact).toEqual({ __typename: 'Thread', id: threadId });
    await world.settle();
    const { thread } = await memoryOf(client);
    expect(thread).toMatchObject({ state: 'OPEN', compactedThrough: 4, segments: [] });
    expect(thread.primaryEpisode).toMatchObject({ firstTurn: 1, lastTurn: 4 });
    expect(thread.summary).toMatch(/washer|tap/i);
    await client.execute(COMPACT, { threadId });
    await world.settle();
    expect(await compacted(client)).toHaveLength(1);
    const stranger = await world.user('asked-stranger');
    expect((await stranger.execute(COMPACT, { threadId })).compact).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
    });
  });
});

describe('a compacted thread', () => {
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
});
