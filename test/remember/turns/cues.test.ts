import { afterAll, beforeAll, expect, it } from 'vitest';
import { rankingCuesOf } from '../../../src/domain/ranking/ranking-cues.ts';
import { sayAt } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

const QUESTION = 'Did we meet in June?';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

async function stored(userId: string): Promise<(number | null)[]> {
  const text = `SELECT cues FROM turns WHERE user_id = '${userId}'`;
  const { rows } = await world.ctx.db.pool.query<{ cues: number | null }>(text);
  return rows.map(({ cues }) => cues);
}

it('a turn is stored with the cues that the ranking reads', async () => {
  await sayAt(await world.user('read'), '08:00', QUESTION);
  expect(await stored('read')).toEqual([rankingCuesOf(QUESTION)]);
});

it('a turn for which its language thread had no time gets its cues with the index', async () => {
  const { rules } = world.ctx;
  const readTurns: typeof rules.readTurns = async (turns) =>
    turns.map(() => ({ words: 1, cues: null, facts: [] }));
  world.with({ rules: { ...rules, readTurns } });
  await sayAt(await world.user('unread'), '08:00', QUESTION);
  expect(await stored('unread')).toEqual([null]);
  await world.settle();
  world.restore();
  expect(await stored('unread')).toEqual([rankingCuesOf(QUESTION)]);
});
