import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  consolidate,
  echo,
  knowledgeOf,
  recorder,
  synthesize,
} from '../../support/consolidation.ts';
import { rowsWith } from '../../support/database/dump.ts';
import { FORGET_MEMORY, MOVE_MISPLACED, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { talkOn } from '../../support/samples/days.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-31T12:00:00Z');
});

/** Says what becomes an episode of facts alone, with a word that none of the facts has. */
async function tellWith(client: Client, word: string) {
  const texts = ['Just so you know, my new email is ana@example.org.', `Noted in ${word}.`];
  const turns = talk(texts, '2026-03-01T09:00:00Z');
  const said = await say(client, { channel: 'sms', turns });
  await world.settle();
  const [episode] = (await knowledgeOf(client)).episodes;
  return { turnId: said[1]?.id ?? '', episodeId: episode?.id ?? '' };
}

/** Moves an episode to its facts; its memory is written again without it, or dropped. */
async function move(client: Client, episodeId: string) {
  const moved = await client.execute(MOVE_MISPLACED, { episodeIds: [episodeId] });
  expect(moved.moveMisplacedEpisodes).toMatchObject({ episodes: [{ capture: 'SKIPPED' }] });
  await world.settle();
  await consolidate(client);
  await world.settle();
}

/** Forgets the turn with the word: a profile had it, no memory has it any more, and then nothing has. */
async function forgetTurn(client: Client, turnId: string, word: string) {
  const { history, profile } = await knowledgeOf(client);
  const withWord = history.filter(({ prose }) => prose.includes(word));
  expect(withWord).not.toEqual([]);
  expect(profile?.prose).not.toContain(word);
  expect(await rowsWith(world, word)).toEqual(['episodes', 'postings', 'profiles', 'turns']);
  const { forget } = await client.execute(FORGET_MEMORY, { input: { turnId } });
  expect(forget).toMatchObject({ turns: 1 });
  expect(await rowsWith(world, word)).toEqual([]);
  await world.settle();
  expect(await rowsWith(world, word)).toEqual([]);
  expect((await knowledgeOf(client)).profile).toMatchObject({ stale: false });
}

it('a forget finds profiles from when an episode was in a semantic memory that goes on without it', async () => {
  const client = await recorder(world, 'goes-on');
  echo(world);
  const { turnId, episodeId } = await tellWith(client, 'Zanzibar');
  await talkOn(world, client, 3, 5);
  await consolidate(client);
  await synthesize(client);
  const before = (await knowledgeOf(client)).memories.at(-1);
  expect(before?.summary).toContain('Zanzibar');
  await move(client, episodeId);
  await synthesize(client);
  const after = (await knowledgeOf(client)).memories.at(-1);
  expect(after).toMatchObject({ id: before?.id, episodeCount: (before?.episodeCount ?? 0) - 1 });
  await forgetTurn(client, turnId, 'Zanzibar');
});

it('a forget finds profiles from when an episode was in a semantic memory that is gone', async () => {
  const client = await recorder(world, 'gone');
  echo(world);
  const { turnId, episodeId } = await tellWith(client, 'Madagascar');
  await consolidate(client);
  await synthesize(client);
  await move(client, episodeId);
  expect((await knowledgeOf(client)).memories).toEqual([]);
  await talkOn(world, client, 3, 5);
  await forgetTurn(client, turnId, 'Madagascar');
});

it('a forget finds profiles from memories that a model once wrote beside one that is gone', async () => {
  const client = await recorder(world, 'beside');
  const { reasoner } = world.ctx;
  echo(world, { repeatsContext: true });
  const { turnId, episodeId } = await tellWith(client, 'Patagonia');
  await consolidate(client);
  await talkOn(world, client, 3, 5);
  await move(client, episodeId);
  await synthesize(client);
  expect((await knowledgeOf(client)).profile?.prose).toContain('Patagonia');
  // What is said late has the other memory written again, by the built-in rules this time.
  world.with({ reasoner });
  const late = { text: 'The flat in Porto has a balcony.', occurredAt: '2026-03-03T09:00:30Z' };
  await say(client, { channel: 'sms', turns: [late] });
  await world.settle();
  await synthesize(client);
  await forgetTurn(client, turnId, 'Patagonia');
});
