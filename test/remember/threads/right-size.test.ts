import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOSE, memoryOf, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { FIVE_MATTERS } from '../../support/samples/five-matters.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** What a talk becomes, said in one thread and closed. */
async function madeOf(userId: string, texts: readonly string[]) {
  const client = await world.user(userId);
  world.now = new Date('2026-03-02T13:00:00Z');
  const turns = talk(texts, '2026-03-02T09:00:00Z');
  const [first] = await say(client, { channel: 'web', newThread: { title: 'T' }, turns });
  await client.execute(CLOSE, { threadId: first?.thread.id ?? '' });
  await world.settle();
  const { segments, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  return { segments, episodes: segments.filter(({ capture }) => capture === 'CREATED') };
}

it('a hundred turns about five topics become about five segments, summarised in an eighth of the characters', async () => {
  const texts = FIVE_MATTERS.flat();
  expect(texts).toHaveLength(100);
  const { segments, episodes } = await madeOf('five', texts);
  const openings = segments.map(({ firstTurn }) => firstTurn);
  expect(segments.length, `segments at ${openings}`).toBeGreaterThanOrEqual(4);
  expect(segments.length, `segments at ${openings}`).toBeLessThanOrEqual(7);
  expect(episodes.length).toBeGreaterThanOrEqual(2);
  expect(episodes.length).toBeLessThanOrEqual(8);
  const told = episodes.map(({ summary }) => summary).join('');
  expect(texts.join('').length / told.length).toBeGreaterThanOrEqual(8);
}, 120_000);

it.each(FIVE_MATTERS.map((texts, at) => [texts[0]?.slice(0, 40), at] as const))(
  'a talk about one matter is not cut: %s…',
  async (_opening, at) => {
    const { segments } = await madeOf(`one ${at}`, FIVE_MATTERS[at] ?? []);
    expect(segments.map(({ firstTurn, lastTurn }) => [firstTurn, lastTurn])).toEqual([[1, 20]]);
  },
);
