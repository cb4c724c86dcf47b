import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORGET_MEMORY, memoryOf, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const segmentsOf = async (userId: string, lines: readonly string[]) => {
  const client = await world.user(userId);
  world.now = new Date('2026-03-02T19:00:00Z');
  await say(client, { channel: 'sms', turns: talk(lines, '2026-03-02T09:00:00Z') });
  await world.settle();
  return (await memoryOf(client)).thread.segments;
};

it.each([
  ['Dad died this morning.', 'I am so sorry for your loss.'],
  ['They told us at noon: the whole Lisbon office is being closed.', 'That is a shock.'],
])('a first message with momentous news makes a key moment: %s', async (...lines) => {
  const more = ['I do not know what to do now.', 'Take your time. Who is with you today?'];
  const segments = await segmentsOf(`news-${lines[0]?.length}`, [...lines, ...more]);
  expect(segments).toMatchObject([{ keyMoment: true, surprise: 0.9 }]);
});

it('a mere change of topic never makes a key moment', async () => {
  const segments = await segmentsOf('pivot', [
    'The unit tests of the billing module fail on the build server.',
    'Does the billing module read the time zone of the build server?',
    'Yes, the billing module reads the time zone in its tests.',
    'Then set the time zone for the unit tests of the billing module.',
    'The unit tests of the billing module pass with the time zone set.',
    'Good, the billing module is fine then.',
    'Something else: what shall we cook for dinner, salmon with fennel?',
    'Salmon with fennel and lemon takes twenty minutes in the oven.',
    'Is salmon with fennel good with rice for dinner?',
    'Rice goes well with salmon and fennel.',
    'And a salad with lemon for dinner beside the salmon?',
    'A cucumber salad with lemon goes with the salmon.',
  ]);
  expect(segments.length).toBeGreaterThan(1);
  expect(Math.max(...segments.map(({ surprise }) => surprise ?? 0))).toBeGreaterThan(0.3);
  expect(segments.map(({ keyMoment }) => keyMoment)).not.toContain(true);
});

it.each([
  ['the news themselves', 'Dad died', { keyMoment: false, surprise: 0 }],
  ['words beside the news', 'Take your time', { keyMoment: true, surprise: 0.9 }],
])('a segment is as surprising as what a forget left of it: %s', async (name, start, left) => {
  const client = await world.user(`forgot-${name}`);
  world.now = new Date('2026-03-02T19:00:00Z');
  const lines = [
    'Dad died this morning.',
    'I am so sorry for your loss.',
    'I do not know what to do now.',
    'Take your time. Who is with you today?',
  ];
  const turns = await say(client, { channel: 'sms', turns: talk(lines, '2026-03-02T09:00:00Z') });
  await world.settle();
  const turnId = turns.find(({ text }) => text.startsWith(start))?.id ?? '';
  await client.execute(FORGET_MEMORY, { input: { turnId } });
  await world.settle();
  expect((await memoryOf(client)).thread.segments).toMatchObject([left]);
});

it('momentous news in a late turn make its segment a key moment', async () => {
  const client = await world.user('late');
  world.now = new Date('2026-03-02T19:00:00Z');
  const lines = [
    'I could not work this morning.',
    'I am so sorry. Is somebody with you today?',
    'My sister is here now.',
    'Take your time.',
  ];
  await say(client, { channel: 'sms', turns: talk(lines, '2026-03-02T09:00:00Z') });
  await world.settle();
  expect((await memoryOf(client)).thread.segments).toMatchObject([{ keyMoment: false }]);
  const news = { text: 'Dad died this morning.', occurredAt: '2026-03-02T09:00:30Z' };
  await say(client, { channel: 'sms', turns: [news] });
  await world.settle();
  expect((await memoryOf(client)).thread.segments).toMatchObject([
    { lastTurn: 5, keyMoment: true, surprise: 0.9 },
  ]);
});
