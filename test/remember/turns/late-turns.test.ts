import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { ModelFailed } from '../../../src/domain/core/errors.ts';
import { FLIGHT, FORGET_MEMORY, memoryOf, ranges, TAP, talk } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
let usual: Pick<Context, 'reasoner' | 'embedder'>;
beforeAll(async () => {
  world = await createWorld();
  const { reasoner, embedder } = world.ctx;
  usual = { reasoner, embedder };
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-02T09:00:00Z');
});

const SIX = '2026-03-02T06:00:00Z';
const BOTH = talk([...TAP, ...FLIGHT], SIX);
const late = (...times: string[]) =>
  times.map((time) => ({ text: `Late at ${time}.`, occurredAt: `2026-03-02T${time}Z` }));
const sayLate = (client: Client, ...times: string[]) =>
  say(client, { channel: 'sms', turns: late(...times) });

/** The first time that a step of the reasoner has made something, something else happens before it is stored. */
function meanwhile(
  method: 'describeSegment' | 'findBoundaries' | 'compact',
  happens: () => Promise<unknown>,
) {
  let isFirst = true;
  world.with({
    reasoner: {
      ...usual.reasoner,
      [method]: async (input: never, call: never) => {
        const made = await usual.reasoner[method](input, call);
        if (isFirst) {
          isFirst = false;
          await happens();
        }
        return made;
      },
    },
  });
}

it('late turns extend the times of their segment, and those before the first turn open it', async () => {
  const client = await world.user('times');
  await say(client, { channel: 'sms', turns: BOTH });
  await world.settle();
  await sayLate(client, '05:50:00', '06:05:40');
  await world.settle();
  const { segments, thread } = await memoryOf(client);
  expect(ranges(segments)).toEqual([
    [1, 8],
    [9, 14],
  ]);
  expect(segments[0]).toMatchObject({
    startedAt: '2026-03-02T05:50:00.000Z',
    endedAt: '2026-03-02T06:05:40.000Z',
    durationSeconds: 940,
  });
  expect(thread.primaryEpisode).toMatchObject({
    lastTurn: 14,
    startedAt: '2026-03-02T05:50:00.000Z',
  });
  expect(thread.compactedThrough).toBe(14);
});

it('a newer turn in the call of a late one does not count as a turn of the primary episode', async () => {
  const client = await world.user('late-and-new');
  await say(client, { channel: 'sms', turns: BOTH });
  await world.settle();
  const turns = [...late('06:05:40'), { text: 'New.', occurredAt: '2026-03-02T06:20:00Z' }];
  await say(client, { channel: 'sms', turns });
  const { thread } = await memoryOf(client);
  expect(thread.turnCount).toBe(14);
  expect(thread.primaryEpisode).toMatchObject({ lastTurn: 13 });
});

it('a late turn that arrives while its segment is captured is included', async () => {
  const client = await world.user('while-captured');
  await say(client, { channel: 'sms', turns: BOTH });
  meanwhile('describeSegment', () => sayLate(client, '06:02:30'));
  await world.settle();
  const { segments, events, backlog } = await memoryOf(client);
  expect(ranges(segments)).toEqual([
    [1, 7],
    [8, 13],
  ]);
  const [decided] = events.filter(({ kind }) => kind.startsWith('EPISODE_'));
  expect(decided?.decision).toContain('turns 1-7');
  expect(Object.values(backlog)).toEqual([0, 0, 0, 0, 0]);
});

it('late turns that arrive while a thread is segmented do not shift its boundaries', async () => {
  const client = await world.user('while-cut');
  await say(client, { channel: 'sms', turns: BOTH });
  meanwhile('findBoundaries', () => sayLate(client, '06:01:30', '06:02:30'));
  await world.settle();
  const { segments } = await memoryOf(client);
  expect(segments.find(({ lastTurn }) => lastTurn === 8)?.turns.at(-1)?.text).toBe(TAP[5]);
  expect(segments.at(-1)?.lastTurn).toBe(14);
});

it('a late turn that arrives while a thread is compacted is in its summaries', async () => {
  const client = await world.user('while-compacted');
  await say(client, { channel: 'sms', turns: BOTH });
  meanwhile('compact', () => sayLate(client, '06:02:30'));
  await world.settle();
  const { thread } = await memoryOf(client);
  expect(thread.compactedThrough).toBe(13);
  expect(thread.primaryEpisode).toMatchObject({ firstTurn: 1, lastTurn: 13 });
});

it('turns forgotten after late turns are erased, whatever jobs are pending', async () => {
  const client = await world.user('forget-late');
  await say(client, { channel: 'sms', turns: BOTH });
  await world.settle();
  await sayLate(client, ...[10, 20, 30, 40, 50, 55].map((second) => `06:02:${second}`));
  const [first] = (await memoryOf(client)).segments;
  const { forget } = await client.execute(FORGET_MEMORY, { input: { episodeId: first?.id ?? '' } });
  expect(forget).toMatchObject({ __typename: 'ForgottenCounts', turns: 12 });
  await world.settle();
  const { segments, thread } = await memoryOf(client);
  expect(ranges(segments)).toEqual([[1, 6]]);
  expect(thread.primaryEpisode).toMatchObject({
    lastTurn: 6,
    startedAt: '2026-03-02T06:06:00.000Z',
  });
});

it('turns that were too few after two hours are segmented once there are enough', async () => {
  const client = await world.user('enough');
  const input = { channel: 'web', newThread: { title: 'Slow', inactivityTimeoutMinutes: 600 } };
  world.now = new Date('2026-03-02T06:03:00Z');
  const [first] = await say(client, { ...input, turns: talk(TAP.slice(0, 3), SIX) });
  world.now = new Date('2026-03-02T08:10:00Z');
  await world.settle();
  expect((await memoryOf(client)).segments).toEqual([]);
  world.now = new Date('2026-03-02T08:40:00Z');
  const more = talk([...TAP.slice(3), ...FLIGHT], '2026-03-02T08:29:00Z', 10_000);
  await say(client, { channel: 'web', threadId: first?.thread.id ?? '', turns: more });
  await world.settle();
  expect((await memoryOf(client)).segments.length).toBeGreaterThan(0);
});

it('a text that the embedder refuses delays nothing: the words decide instead', async () => {
  const client = await world.user('refused');
  const { embedder } = usual;
  if (!embedder) throw new Error('this test needs an embedder');
  world.with({
    embedder: {
      ...embedder,
      ...(await embedder.identify()),
      embed: (texts, options) =>
        texts.some((text) => text.includes('washer'))
          ? Promise.reject(new ModelFailed('this text is refused', { status: 400 }))
          : embedder.embed(texts, options),
    },
  });
  await say(client, { channel: 'sms', turns: BOTH });
  await world.settle();
  const { segments, errors, backlog } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(segments.map(({ capture }) => capture)).not.toContain('PENDING');
  expect(backlog).toMatchObject({ turnsToSegment: 0, turnsToCapture: 0, threadsToCompact: 0 });
});

const IMPORT = graphql(`
  mutation ImportPast($input: ImportConversationInput!) {
    importConversation(input: $input) {
      __typename
    }
  }
`);

it('every segment of an import becomes an episode', async () => {
  const client = await world.user('imported');
  const turns = [...TAP.slice(0, 2), 'Thanks!'].map((text, index) => ({
    speaker: index % 2 ? 'Bob' : 'Ada',
    text,
    occurredAt: `2025-03-02T06:0${index}:00Z`,
  }));
  await client.execute(IMPORT, { input: { self: 'Ada', turns } });
  await world.settle();
  expect((await memoryOf(client)).segments).toMatchObject([
    { capture: 'CREATED', captureReason: 'everything' },
  ]);
});
