import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { segmentThread } from '../../../src/remember/threads/segment-thread.ts';
import {
  CLOSE,
  CONFIGURE_CAPTURE,
  FLIGHT,
  memoryOf,
  ranges,
  TAP,
  talk,
} from '../../support/episodes.ts';
import { say, sayAt } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-02T09:00:00Z');
});

const SIX = '2026-03-02T06:00:00Z';
const TWENTY = [...TAP, ...FLIGHT, ...TAP.map((text) => `Again: ${text}`), 'And now?', 'You rest.'];
/** Turns that nothing tells apart. */
const SAME = (count: number) =>
  Array<string>(count).fill('The tap in the kitchen drips, the washer of the tap is worn.');

it('an idle thread is cut where its topic changes; every turn is in exactly one segment', async () => {
  const client = await world.user('two-topics');
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT], SIX) });
  await world.settle();
  const { thread, events, errors, backlog } = await memoryOf(client);
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
      recordedAt: world.now.toISOString(),
    });
    expect(segment.title).toMatch(/\w/);
  }
  expect(thread.primaryEpisode).toMatchObject({ kind: 'PRIMARY', firstTurn: 1, lastTurn: 12 });
  expect(thread.primaryEpisode?.segments.edges.map(({ node }) => node.id)).toEqual(
    thread.segments.map(({ id }) => id),
  );
  const closed = events.filter(({ kind }) => kind === 'SEGMENT_CLOSED');
  expect(closed.map(({ episode }) => episode?.id)).toEqual(thread.segments.map(({ id }) => id));
  expect(closed.map(({ decision }) => decision)).toEqual([
    expect.stringMatching(/^segment\.close topic \(turns 1-6, surprise 0\.00\)$/),
    expect.stringMatching(/^segment\.close idle \(turns 7-12, surprise 0\.\d\d\)$/),
  ]);
  expect(Object.values(backlog)).toEqual([0, 0, 0, 0, 0]);
});

it('under 3 messages there is no split, and no model or embedder is asked', async () => {
  const client = await world.user('two-turns');
  const findBoundaries = () => Promise.reject(new Error('asked'));
  world.with({ reasoner: { ...world.ctx.reasoner, findBoundaries } });
  await say(client, { channel: 'sms', turns: talk([TAP[0], FLIGHT[0]] as string[], SIX) });
  await world.settle();
  world.restore();
  const { thread, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(ranges(thread.segments)).toEqual([[1, 2]]);
});

it('at 20 pending turns the oldest become segments in the background, and the last segment stays open', async () => {
  const client = await world.user('twenty');
  const input = { channel: 'web', newThread: { title: 'Long' } };
  const [first] = await say(client, { ...input, turns: talk(TWENTY.slice(0, 19), SIX, 1_000) });
  const threadId = first?.thread.id ?? '';
  world.now = new Date('2026-03-02T06:05:00Z');
  await world.settle();
  expect((await memoryOf(client)).thread.segments).toEqual([]);
  await say(client, {
    channel: 'web',
    threadId,
    turns: talk([TWENTY[19] as string], '2026-03-02T06:01:00Z'),
  });
  await world.settle();
  const { thread, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(thread.state).toBe('OPEN');
  expect(ranges(thread.segments).slice(0, 1)).toEqual([[1, 6]]);
  const through = thread.segments.at(-1)?.lastTurn ?? 0;
  expect(through).toBeGreaterThanOrEqual(12);
  expect(through).toBeLessThan(20);
});

it('pending turns are cut once the oldest is two hours old; fewer than 5 wait until the thread is idle', async () => {
  const input = (title: string) => ({ channel: 'web', newThread: { title } });
  const four = await world.user('four');
  const twelve = await world.user('twelve');
  world.now = new Date('2026-03-02T06:15:00Z');
  await say(four, {
    ...input('Four'),
    turns: talk([...TAP.slice(0, 2), ...FLIGHT.slice(0, 2)], SIX),
  });
  await say(twelve, { ...input('Twelve'), turns: talk([...TAP, ...FLIGHT], SIX) });
  world.now = new Date('2026-03-02T07:59:00Z');
  await world.settle();
  expect((await memoryOf(twelve)).segments).toEqual([]);
  world.now = new Date('2026-03-02T08:01:00Z');
  await world.settle();
  expect(ranges((await memoryOf(twelve)).segments)).toEqual([[1, 6]]);
  expect((await memoryOf(four)).segments).toEqual([]);
  world.now = new Date('2026-03-02T09:20:00Z');
  await world.settle();
  expect((await memoryOf(four)).segments.at(-1)?.lastTurn).toBe(4);
  expect(ranges((await memoryOf(twelve)).segments)).toEqual([
    [1, 6],
    [7, 12],
  ]);
});

it('a window without a boundary grows once, to 40 turns, which then are one segment', async () => {
  const client = await world.user('endless');
  const turns = talk(SAME(45), '2026-03-02T08:00:00Z', 1_000);
  const input = { channel: 'web', newThread: { title: 'Endless' } };
  const [first] = await say(client, { ...input, turns: turns.slice(0, 39) });
  await world.settle();
  expect((await memoryOf(client)).segments).toEqual([]);
  await say(client, {
    channel: 'web',
    threadId: first?.thread.id ?? '',
    turns: turns.slice(39),
  });
  await world.settle();
  const { thread, events } = await memoryOf(client);
  expect(thread.state).toBe('OPEN');
  expect(ranges(thread.segments)).toEqual([[1, 40]]);
  expect(thread.segments[0]).toMatchObject({ surprise: 0 });
  expect(events.map(({ decision }) => decision)).toContain(
    'segment.close forced (turns 1-40, surprise 0.00)',
  );
});

it('three hours of silence always cut, with no surprise', async () => {
  const client = await world.user('gap');
  const turns = [
    ...talk(SAME(3), '2026-03-01T06:00:00Z'),
    ...talk(SAME(3), '2026-03-01T09:03:00Z'),
  ];
  await say(client, { channel: 'web', newThread: { title: 'Gap' }, turns });
  await world.settle();
  const { thread } = await memoryOf(client);
  expect(ranges(thread.segments)).toEqual([
    [1, 3],
    [4, 6],
  ]);
  expect(thread.segments.map(({ surprise }) => surprise)).toEqual([0, 0]);
});

it('a grown thread continues after its closed segments', async () => {
  const client = await world.user('grown');
  await say(client, { channel: 'sms', turns: talk(TAP, SIX) });
  await world.settle();
  const [before] = (await memoryOf(client)).segments;
  await say(client, { channel: 'sms', turns: talk(FLIGHT, '2026-03-02T06:20:00Z') });
  await world.settle();
  const { threads, thread } = await memoryOf(client);
  expect(threads).toHaveLength(1);
  expect(thread.segments[0]).toEqual(before);
  expect(thread.segments.at(-1)?.lastTurn).toBe(12);
  expect(thread.primaryEpisode).toMatchObject({ lastTurn: 12 });
});

it('a segmentation happens once, however often it is started at the same time', async () => {
  const client = await world.user('at-once');
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT], SIX) });
  const { thread } = await memoryOf(client);
  const id = Number(
    Buffer.from(thread.id, 'base64')
      .toString()
      .match(/(\d+)\D*$/)?.[1],
  );
  await world.ctx.db.pool.query("UPDATE threads SET state = 'IDLE' WHERE user_id = 'at-once'");
  await Promise.all(Array.from({ length: 8 }, () => segmentThread(world.ctx, 'at-once', id)));
  await segmentThread(world.ctx, 'at-once', id);
  await world.settle();
  const { segments, events } = await memoryOf(client);
  expect(ranges(segments)).toEqual([
    [1, 6],
    [7, 12],
  ]);
  expect(events.filter(({ kind }) => kind === 'SEGMENT_CLOSED')).toHaveLength(2);
  expect(events.filter(({ kind }) => kind.startsWith('EPISODE_'))).toHaveLength(2);
});

it('a late turn inside a closed segment belongs to it, and revises it', async () => {
  const client = await world.user('late');
  await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT], SIX) });
  await world.settle();
  const before = (await memoryOf(client)).segments;
  const late = { text: 'Mind the cold water, it squirts!', occurredAt: '2026-03-02T06:02:30Z' };
  await say(client, { channel: 'sms', turns: [late] });
  const now = (await memoryOf(client)).segments;
  expect(ranges(now)).toEqual([
    [1, 7],
    [8, 13],
  ]);
  expect(now.map(({ capture }) => capture)).toEqual(['PENDING', before[1]?.capture]);
  await world.settle();
  const { thread, events } = await memoryOf(client);
  expect(ranges(thread.segments)).toEqual([
    [1, 7],
    [8, 13],
  ]);
  expect(thread.segments[0]?.turns[3]?.text).toBe(late.text);
  // What it was it stays; its title never changes, its former summary stays readable.
  expect(thread.segments[0]).toMatchObject({
    capture: before[0]?.capture,
    title: before[0]?.title,
    stability: before[0]?.stability,
    revisions: [{ number: 1, summary: before[0]?.summary }],
  });
  const decisions = events.filter(({ kind }) => /^EPISODE_/.test(kind));
  expect(decisions.map(({ kind }) => kind)).toEqual([
    'EPISODE_CREATED',
    'EPISODE_CREATED',
    'EPISODE_REVISED',
  ]);
  expect(thread.primaryEpisode).toMatchObject({ lastTurn: 13 });
});

it('a thread closed by hand is segmented at once; an open one is not', async () => {
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
