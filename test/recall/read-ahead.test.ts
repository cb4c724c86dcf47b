import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { embedEpisodes } from '../../src/remember/vectors/embed-episodes.ts';
import { FORGET_MEMORY } from '../support/episodes.ts';
import { wordsEmbedder } from '../support/models/words-embedder.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const words = wordsEmbedder(64);
/** What happens while the vector of a query is made. */
let meanwhile = async () => {};
const embedder: Embedder = {
  ...words,
  embed: async (texts, options) => {
    if (options.priority === 'query') await meanwhile();
    return words.embed(texts, options);
  },
};

let world: World;
let ana: Client;
let lantern: string;
beforeAll(async () => {
  world = await createWorld({}, { embedder });
  world.now = new Date('2026-03-02T20:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

/** Somebody whose turns are cached. */
beforeEach(async ({ task }) => {
  meanwhile = async () => {};
  ana = await world.user(task.id);
  const texts = ['I hung the red lantern over the door.', 'The kettle broke again.'];
  const turns = texts.map((text, day) => ({ text, occurredAt: `2026-02-0${day + 1}T09:00:00Z` }));
  [lantern = ''] = (await say(ana, { channel: 'sms', turns })).map(({ id }) => id);
  await world.settle();
  await vi.waitUntil(
    async () => {
      await ask();
      return world.ctx.turnCache.holds(ana.userId);
    },
    { interval: 5, timeout: 20_000 },
  );
  world.statements.length = 0;
});

const ask = () => recallAll(ana, { query: 'What about the lantern?' });

const textsOf = ({ turns }: Awaited<ReturnType<typeof ask>>) => turns.map(({ turn }) => turn.text);

const scoresOf = ({ turns }: Awaited<ReturnType<typeof ask>>) => turns.map(({ score }) => score);

/** Waits until a recall has sent what takes no vector. */
const readAhead = () =>
  vi.waitUntil(() => world.sent(/^turn-changes-found$/).length > 0, { interval: 1 });

it('what takes no vector is read while the vector of the question is made', async () => {
  meanwhile = async () => void (await readAhead());
  const answer = await ask();
  expect(answer.vectors).toBe('USED');
  expect(textsOf(answer).join()).toContain('lantern');
  expect(world.sent(/^turn-changes-found$/)).toHaveLength(1);
});

it('what is forgotten between the two is no hit', async () => {
  meanwhile = async () => {
    await readAhead();
    meanwhile = async () => {};
    await ana.execute(FORGET_MEMORY, { input: { turnId: lantern } });
  };
  expect(textsOf(await ask()).join()).not.toContain('lantern');
});

it('the vectors of segment summaries are read once, and again when a summary has changed', async () => {
  const { db, turnCache } = world.ctx;
  const reads = () => world.sent(/^segment-vectors$/).length;
  await ask();
  await ask();
  expect(reads()).toBe(1);
  const { rowCount } = await db.pool.query(
    `WITH changed AS (UPDATE episodes SET summary = 'What is new on day ' || id WHERE user_id = $1 RETURNING id)
     DELETE FROM episode_vectors v USING changed c WHERE v.user_id = $1 AND v.episode_id = c.id`,
    [ana.userId],
  );
  expect(rowCount).toBeGreaterThan(0);
  const without = scoresOf(await ask());
  expect(reads()).toBe(2);
  while ((await embedEpisodes(world.ctx, ana.userId)) === 'again');
  const cached = scoresOf(await ask());
  expect(scoresOf(await ask())).toEqual(cached);
  expect(reads()).toBe(3);
  expect(cached).not.toEqual(without);
  turnCache.drop(ana.userId);
  for (const [at, score] of scoresOf(await ask()).entries())
    expect(cached[at]).toBeCloseTo(score, 4);
});
