import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOSE, FLIGHT, memoryOf, TAP, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

/** A third matter, with something that comes back. */
const CELLO = [
  'By the way, another thing: I started cello lessons with Inge Wagner last month.',
  'A cello needs a quiet room and a good bow.',
  'I usually practise the cello on Sunday evenings, and the cello bow is borrowed.',
  'Then rent a cello bow before you buy one.',
  'I rented a cello bow from Wagner for 9 euros a month, and the cello sounds better now.',
  'A good cello bow makes that difference.',
];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The summaries of a thread that was said, closed and compacted. */
async function summariesOf(userId: string, texts: readonly string[]) {
  const client = await world.user(userId);
  const turns = talk(texts, '2026-03-02T06:00:00Z');
  world.now = new Date('2026-03-02T09:00:00Z');
  const [first] = await say(client, { channel: 'web', newThread: { title: 'T' }, turns });
  await client.execute(CLOSE, { threadId: first?.thread.id ?? '' });
  await world.settle();
  const { thread, segments, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  const { micro, meso, macro } = thread.primaryEpisode ?? {};
  return { micro: micro ?? '', meso: meso ?? '', macro: macro ?? '', segments };
}

const sentencesIn = (text: string) =>
  text.split(/(?<=[.!?…])\s/).map((one) => one.replace(/^(?:User|Assistant): /, ''));

it('the meso summary of several topics mentions each of them', async () => {
  const { micro, meso, segments } = await summariesOf('several', [...TAP, ...FLIGHT, ...CELLO]);
  expect(segments.length).toBeGreaterThanOrEqual(3);
  expect(meso).toMatch(/tap|washer/);
  expect(meso).toMatch(/flight/i);
  expect(meso).toMatch(/cello/i);
  expect(sentencesIn(micro).length).toBeLessThanOrEqual(3);
  expect(meso.length).toBeGreaterThan(micro.length);
});

it('the three summaries of a thread differ', async () => {
  const { micro, meso, macro } = await summariesOf('one', CELLO);
  expect(micro).toMatch(/cello lessons/);
  expect(micro).toMatch(/rented|rent/);
  expect(meso).not.toBe(micro);
  expect(sentencesIn(meso).length).toBeGreaterThan(sentencesIn(micro).length);
  expect(macro).toMatch(/usually practise the cello on Sunday evenings/);
  expect([micro, meso]).not.toContain(macro);
});

it('the summary of a short thread contains topic and outcome, and the meso summary more', async () => {
  const { micro, meso } = await summariesOf('short', [
    'The boiler shows error E9 and the flat is cold.',
    'E9 is low pressure: fill it up to 1.5 bar with the valve below.',
    'I filled it to 1.5 bar and it is warm again.',
  ]);
  expect(micro).toMatch(/E9.*(?:1\.5 bar|warm again)/);
  expect(meso.length).toBeGreaterThan(micro.length);
});
