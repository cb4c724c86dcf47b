import { afterAll, beforeAll, expect, it } from 'vitest';
import { recorder } from '../support/consolidation.ts';
import { contextOf } from '../support/context.ts';
import { CLOSE, FLIGHT, talk } from '../support/episodes.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const at = (time: string) => `2026-03-02T${time}:00Z`;

it('a conversation whose clock is a little ahead goes on at once, and no longer than others', async () => {
  const client = await world.user('ahead');
  world.now = new Date(at('10:00'));
  const turns = talk(FLIGHT.slice(0, 3), at('10:02'));
  const [turn] = await say(client, { channel: 'sms', turns });
  const message = { channel: 'sms', message: 'And when does it land?' };
  const running = { thread: { id: turn?.thread.id } };
  const window = FLIGHT.slice(0, 3).map((text) => ({ text }));
  expect(await contextOf(client, message)).toMatchObject({ ...running, window });
  expect(await contextOf(client, { ...message, asOf: at('10:00') })).toMatchObject({
    ...{ thread: null, window: [] },
  });
  world.now = new Date(at('10:33'));
  expect(await contextOf(client, message)).toMatchObject({ ...running, window });
  world.now = new Date(at('10:36'));
  expect(await contextOf(client, message)).toMatchObject({ thread: null, window: [] });
});

it('an episode that ended by a clock that is a little ahead is a recent memory', async () => {
  const client = await recorder(world, 'ahead-episode');
  world.now = new Date(at('12:00'));
  const turns = talk(FLIGHT, at('11:59'));
  const [turn] = await say(client, { channel: 'web', newThread: {}, turns });
  await client.execute(CLOSE, { threadId: turn?.thread.id ?? '' });
  await world.settle();
  const query = `query ($asOf: DateTime) { recentMemories(days: 1, asOf: $asOf) {
    ... on RecentMemoriesPayload { memories { episode { endedAt } } } } }`;
  const recent = async (asOf: string | null) =>
    (await client.post({ query, variables: { asOf } })).body;
  expect(await recent(at('12:00'))).toEqual({ data: { recentMemories: { memories: [] } } });
  expect(await recent(null)).toEqual({
    data: { recentMemories: { memories: [{ episode: { endedAt: '2026-03-02T12:04:00.000Z' } }] } },
  });
});
