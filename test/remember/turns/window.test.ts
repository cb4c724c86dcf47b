import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { windowOf, windowStart } from '../../../src/domain/threads/window.ts';
import { createGraphQLServer } from '../../../src/http/graphql.ts';
import { FLIGHT, memoryOf, TAP, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, userToken, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const SIX = '2026-03-02T06:00:00Z';
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

it.each([
  ['all of a short thread', 7, 0, 1],
  ['all that no closed segment holds', 19, 0, 1],
  ['the newest 10, though segments hold them', 20, 18, 11],
  ['the open segment, if it is longer', 34, 20, 21],
  ['no more than 40, while the background work is behind', 5_000, 100, 4_961],
])('a window holds %s', (_what, turnCount, segmentedThrough, first) => {
  expect(windowStart({ turnCount, segmentedThrough })).toBe(first);
});

it('a window over threads contains the newest 10 turns and those in no closed segment', () => {
  const turn = (number: number, segmentedThrough: number) => ({
    number,
    thread: { segmentedThrough },
  });
  const newest = [...numbers(1, 12).map((n) => turn(n, 12)), turn(9, 8), turn(8, 8)];
  expect(windowOf(newest)).toEqual([turn(9, 8), ...newest.slice(0, 10).reverse()]);
});

it('at 20 turns the oldest become segments and the newest 10 stay in the window until later ones push them out', async () => {
  const client = await world.user('window');
  const texts = [...TAP, ...FLIGHT, ...TAP, ...FLIGHT];
  world.now = new Date('2026-03-02T06:00:30Z');
  const input = { channel: 'web', newThread: { title: 'Long' } };
  const [first] = await say(client, { ...input, turns: talk(texts.slice(0, 19), SIX, 1_000) });
  const threadId = first?.thread.id ?? '';
  await world.settle();
  expect((await memoryOf(client)).thread.window.map(({ number }) => number)).toEqual(
    numbers(1, 19),
  );
  const more = talk(texts.slice(19), '2026-03-02T06:00:19Z', 1_000);
  await say(client, { channel: 'web', threadId, turns: more });
  await world.settle();
  const { thread, window } = await memoryOf(client);
  const through = thread.segments.at(-1)?.lastTurn ?? 0;
  expect(through).toBeGreaterThanOrEqual(10);
  const expected = numbers(Math.min(through, 14) + 1, 24);
  expect(thread.window.map(({ number }) => number)).toEqual(expected);
  expect(window.map(({ text }) => text)).toEqual(texts.slice(-expected.length));
  world.now = new Date('2026-03-02T09:00:00Z');
});

it("the user's window spans threads, in event time", async () => {
  const client = await world.user('two-threads');
  const [a = '', b = '', c = '', d = ''] = TAP;
  const [web] = await say(client, {
    channel: 'web',
    newThread: { title: 'Web' },
    turns: talk([a], '2026-03-02T08:50:00Z'),
  });
  await say(client, { channel: 'sms', turns: talk([b], '2026-03-02T08:51:00Z') });
  const threadId = web?.thread.id ?? '';
  await say(client, { channel: 'web', threadId, turns: talk([c], '2026-03-02T08:52:00Z') });
  await say(client, { channel: 'sms', turns: talk([d], '2026-03-02T08:53:00Z') });
  const { window } = await memoryOf(client);
  expect(window.map(({ text }) => text)).toEqual([a, b, c, d]);
});

it('a window survives a restart', async () => {
  const client = await world.user('restarted');
  await say(client, { channel: 'sms', turns: talk(TAP, '2026-03-02T08:50:00Z') });
  const { pool, embedded } = world.ctx.db;
  const connection = { connection: pool.options, embedded };
  await using next = await createApp(world.ctx.config, { connection, embedder: null });
  const server = createGraphQLServer(next);
  const response = await server.fetch('http://memory.test/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await userToken('restarted')}`,
    },
    body: JSON.stringify({ query: '{ viewer { window { role text } } }' }),
  });
  const { data } = (await response.json()) as { data: { viewer: { window: object[] } } };
  expect(data.viewer.window).toEqual(talk(TAP, SIX).map(({ role, text }) => ({ role, text })));
  await server.dispose();
});
