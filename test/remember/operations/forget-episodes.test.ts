import { afterAll, beforeAll, expect, it } from 'vitest';
import { FLIGHT, FORGET_MEMORY, memoryOf, ranges, TAP, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const SIX = '2026-03-02T06:00:00Z';

it('forgotten turns leave segments, episodes and summaries, which are made again from the rest', async () => {
  const client = await world.user('forgetful');
  const turns = await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT], SIX) });
  await world.settle();
  const booked = turns.find(({ text }) => text.startsWith('Booked'));
  const { forget } = await client.execute(FORGET_MEMORY, { input: { turnId: booked?.id ?? '' } });
  expect(forget).toMatchObject({ turns: 1, episodes: 2 });
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
  expect(JSON.stringify(thread)).not.toContain('TP 751');
});

it('an episode is forgotten with its turns, a PRIMARY with its whole thread', async () => {
  const client = await world.user('forget-episode');
  await say(client, { channel: 'sms', turns: talk([...TAP, ...FLIGHT], SIX) });
  await world.settle();
  const [tap] = (await memoryOf(client)).segments;
  const stranger = await world.user('forget-stranger');
  const foreign = await stranger.execute(FORGET_MEMORY, { input: { episodeId: tap?.id ?? '' } });
  expect(foreign.forget.__typename).toBe('NotFoundError');
  const gone = await client.execute(FORGET_MEMORY, { input: { episodeId: tap?.id ?? '' } });
  expect(gone.forget).toMatchObject({ threads: 0, turns: 6, episodes: 2 });
  await world.settle();
  const { thread, segments } = await memoryOf(client);
  expect(ranges(segments)).toEqual([[1, 6]]);
  expect(JSON.stringify(await memoryOf(client))).not.toMatch(/washer/i);
  const whole = { episodeId: thread.primaryEpisode?.id ?? '' };
  const { forget } = await client.execute(FORGET_MEMORY, { input: whole });
  expect(forget).toMatchObject({ threads: 1, turns: 6, episodes: 2 });
  expect((await memoryOf(client)).threads).toEqual([]);
});

it('a result is not stored if its words were forgotten while it was made', async () => {
  const client = await world.user('in-the-making');
  const [first] = await say(client, { channel: 'sms', turns: talk(TAP, SIX) });
  const { reasoner } = world.ctx;
  const threadId = first?.thread.id ?? '';
  for (const method of ['describeSegment', 'compact'] as const) {
    world.with({
      reasoner: {
        ...reasoner,
        [method]: async (input: never, call: never) => {
          const made = await reasoner[method](input, call);
          await client.execute(FORGET_MEMORY, { input: { threadId } });
          return made;
        },
      },
    });
    await world.settle();
  }
  world.restore();
  await world.settle();
  const { threads, errors } = await memoryOf(client);
  expect([threads, errors]).toEqual([[], []]);
});
