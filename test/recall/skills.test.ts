import { afterAll, beforeAll, expect, it } from 'vitest';
import { embedEpisodes } from '../../src/remember/vectors/embed-episodes.ts';
import { alexWorld, recallAll } from '../support/recall.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await alexWorld());
});
afterAll(() => world[Symbol.asyncDispose]());

const nearness = async () => {
  await embedEpisodes(world.ctx, 'alex');
  const query = 'How is a leaking faucet repaired?';
  return (await recallAll(alex, { query, kinds: ['SKILL'] })).skills[0]?.explain;
};

it('a skill is found by semantic similarity, also after its description changed', async () => {
  const { db } = world.ctx;
  const { rows } = await db.pool.query<{ id: number }>(
    `SELECT id FROM episodes WHERE user_id = 'alex' AND kind = 'PRIMARY' ORDER BY id DESC LIMIT 1`,
  );
  const tell = (description: string) => {
    const skills = [{ name: 'Mending a tap', description, evidenceTurns: [] }];
    return world.ctx
      .memory('alex')
      .write((memory) =>
        memory.compactions.saveSkills(rows[0]?.id ?? 0, skills, 'EXTRACTIVE', world.now),
      );
  };
  await tell('Change the rubber washer.');
  const before = await nearness();
  expect(before).toMatchObject({ bm25Rank: null, vectorRank: 1 });
  expect(before?.similarity).toBeGreaterThan(0.3);

  await tell('Sing aloud.');
  expect((await nearness())?.similarity).not.toBe(before?.similarity);
});
