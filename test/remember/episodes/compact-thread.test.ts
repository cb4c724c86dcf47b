import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_WINDOW } from '../../../src/domain/segments/segmentation.ts';
import { captureSegments } from '../../../src/remember/episodes/capture-segments.ts';
import { compactThread } from '../../../src/remember/episodes/compact-thread.ts';
import { segmentThread } from '../../../src/remember/threads/segment-thread.ts';
import { indexTurns } from '../../../src/remember/turns/index-turns.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { CLOSE, FLIGHT, memoryOf, TAP, talk } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import { localThread } from '../../support/reviews.ts';
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

  it('while turns are pending of which segments will close, a thread is compacted at 200', async () => {
    const client = await world.user('import');
    world.now = new Date('2026-03-02T07:00:00Z');
    const [first] = await say(client, { ...LONG, turns: talk(many(300), SIX, 1_000) });
    const id = localThread(first?.thread.id ?? '');
    await indexTurns(world.ctx, 'import');
    await embedTurns(world.ctx, 'import');
    let compactedThrough = 0;
    while (compactedThrough === 0) {
      await segmentThread(world.ctx, 'import', id);
      await captureSegments(world.ctx, 'import');
      await compactThread(world.ctx, 'import', id);
      compactedThrough = (await memoryOf(client)).thread.compactedThrough;
    }
    expect(compactedThrough).toBeGreaterThanOrEqual(200);
    expect(compactedThrough).toBeLessThan(200 + MAX_WINDOW);
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
