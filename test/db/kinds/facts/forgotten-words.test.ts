import { expect, it } from 'vitest';
import type { Tx } from '../../../../src/db/core/database.ts';
import { termsOfTurns } from '../../../../src/db/kinds/facts/forgotten-words.ts';

/** A transaction in which every turn has this text. */
const saying = (text: string) =>
  ({
    userId: 'ann',
    query: async (_statement: unknown, [, ids]: [string, number[]]) =>
      ids.map((id) => ({ id, text })),
  }) as unknown as Tx;

it.each([
  ['one long text', 1, 400_000],
  ['many texts', 100, 4_000],
])(
  'the words of %s are read in pieces, with other work in between',
  async (_what, count, length) => {
    let rounds = 0;
    let isOver = false;
    const others = async () => {
      for (; !isOver; rounds += 1) await new Promise(setImmediate);
    };
    const working = others();
    const text = `${'word '.repeat(length / 5)}end`;
    const ids = Array.from({ length: count }, (_, id) => id);
    for await (const { terms } of termsOfTurns(saying(text), ids)) {
      expect([...terms].sort()).toEqual(['end', 'word']);
    }
    isOver = true;
    await working;
    expect(rounds).toBeGreaterThan((count * length) / 20_000);
  },
);
