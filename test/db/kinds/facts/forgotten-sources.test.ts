import { expect, it } from 'vitest';
import type { Statement, Tx } from '../../../../src/db/core/database.ts';
import { forgottenSources } from '../../../../src/db/kinds/facts/forgotten-sources.ts';

const FACTS = 2_000;
const STATEMENT =
  'The user has told of a game at the house of friends beyond the river, in the rain.';

const source = (id: number) => {
  const words = { value: `game ${id}`, statement: STATEMENT, scope: null };
  const near = { isRetracted: false, isHit: false, isNear: false, isKept: true };
  const ids = { factId: id, factKey: null, turnId: 2, key: null, validTo: null };
  return { ...words, ...near, ...ids, fact: words, origin: 'NOTE' };
};

/** What a memory of many facts answers. */
const ROWS: Record<string, object[]> = {
  'forgotten-sources': Array.from({ length: FACTS }, (_, id) => source(id)),
  'forgotten-words-sizes': [{ id: 1, bytes: 20 }],
  'forgotten-words-texts': [{ id: 1, text: 'The piano is green.' }],
};
const tx = {
  userId: 'ann',
  query: async ({ name }: Statement) => ROWS[name] ?? [],
} as unknown as Tx;

it('many facts are searched for words of forgotten turns in parts, with other work in between', async () => {
  let rounds = 0;
  let isOver = false;
  const others = async () => {
    for (; !isOver; rounds += 1) await new Promise(setImmediate);
  };
  const working = others();
  const { dropped, kept } = await forgottenSources(tx, { turnIds: [1], byHand: [] });
  isOver = true;
  await working;
  expect([dropped, kept]).toEqual([[], []]);
  expect(rounds).toBeGreaterThan((FACTS * 2 * STATEMENT.length) / 10_000);
});
