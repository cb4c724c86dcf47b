import { afterAll, beforeAll, expect, it } from 'vitest';
import { byToken, serveArchives } from '../../support/archive.ts';
import { consolidate, knowledgeOf } from '../../support/consolidation.ts';
import { contextOf } from '../../support/context.ts';
import { CLOSE, CONFIGURE_CAPTURE, memoryOf, TAP } from '../../support/episodes.ts';
import { tellThreads } from '../../support/links.ts';
import { recallAll } from '../../support/recall.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

const GREETINGS = ['Hi!', 'Hello! How are you?', 'Fine, thanks!', 'Great, have a nice day!'];

let world: World;
let client: Client;
beforeAll(async () => {
  world = await createWorld();
  client = await world.user('greeter');
  await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
  await tellThreads(world, client, [GREETINGS, TAP, GREETINGS]);
  const { threads } = await memoryOf(client);
  for (const { id } of threads) await client.execute(CLOSE, { threadId: id });
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

it('a talk of greetings has no title, topic or summary, though it was made an episode', async () => {
  const { threads, segments, errors, backlog } = await memoryOf(client);
  expect(errors).toEqual([]);
  expect(Object.values(backlog)).toEqual([0, 0, 0, 0, 0]);
  const nothing = { title: null, summary: null, micro: null };
  expect(segments[0]).toMatchObject({ ...nothing, capture: 'CREATED', sentence: null });
  expect(segments[1]).toMatchObject({ capture: 'CREATED', title: expect.stringMatching(/tap/i) });
  for (const thread of [threads[0], threads[2]]) {
    expect(thread).toMatchObject({ state: 'CLOSED', compactedThrough: 4 });
    const primary = { ...nothing, topic: null, meso: null, macro: null, sentence: null };
    expect(thread?.primaryEpisode).toMatchObject(primary);
  }
});

it('steps and recall work without texts of a thread of greetings', async () => {
  await consolidate(client);
  await world.settle();
  expect((await memoryOf(client)).errors).toEqual([]);
  expect(JSON.stringify(await knowledgeOf(client))).not.toMatch(/have a nice day/);
  const { hits } = await recallAll(client, { query: 'What did I say of the kitchen tap?' });
  expect(hits.some((hit) => hit.__typename === 'EpisodeHit')).toBe(true);
  for (const hit of hits) if (hit.__typename === 'EpisodeHit') expect(hit.summary).toMatch(/tap/);
  const { markdown } = await contextOf(client, { channel: 'sms', message: 'Hello again!' });
  expect(markdown).not.toMatch(/null|Untitled/);
});

it('an archive restores a thread without texts', async () => {
  await using copy = await createWorld();
  copy.now = world.now;
  await using origin = await serveArchives(world);
  await using target = await serveArchives(copy);
  const archive = await (await origin.fetchArchive('greeter', await byToken('greeter'))).text();
  const sent = await target.sendArchive('copy', await byToken('copy'), archive);
  expect(sent.status).toBe(200);
  await copy.settle();
  const told = (all: Awaited<ReturnType<typeof memoryOf>>) =>
    all.segments.map(({ title, summary, capture }) => ({ title, summary, capture }));
  const imported = await memoryOf(await copy.user('copy'));
  expect(told(imported)).toEqual(told(await memoryOf(client)));
  expect(imported.errors).toEqual([]);
});
