import { expect, it } from 'vitest';
import type { Hit } from '../../src/recall/assemble.ts';
import { fitBudget } from '../../src/recall/budget.ts';

const asOf = new Date('2026-03-05T12:00:00Z');
const turn = (number: number, text: string) => ({
  ...{ id: number, threadId: 1, number, role: 'USER' as const, speaker: null, text },
  occurredAt: asOf,
});
const hit = (rank: number, text: string, after: string[] = []) =>
  ({
    ...{ kind: 'TURN', rank, score: 1 / rank, turn: turn(rank * 10, text), before: [] },
    after: after.map((one, place) => turn(rank * 10 + place + 1, one)),
  }) as unknown as Hit;
const fitted = (hits: Hit[], maxTokens: number) =>
  fitBudget(
    { facts: [], hits, asOf, leftOut: { facts: 0, hits: 0, details: 0 } },
    { maxTokens, query: 'Which herons?' },
  );
const ranksOf = (hits: readonly Hit[]) => hits.map(({ rank }) => rank);

const RAIN = 'It rains. '.repeat(500);
const LONG = `${RAIN}The herons sleep in the reeds. ${RAIN.repeat(4)}`.trim();

it('a long turn that stands first is shortened to what suits the query, and leaves room for those behind it', async () => {
  const { hits, leftOut } = await fitted([hit(1, LONG), hit(2, 'White.'), hit(3, 'Grey.')], 1_500);
  expect(ranksOf(hits)).toEqual([1, 2, 3]);
  expect(hits[0]).toMatchObject({ turn: { text: LONG } });
  expect(hits[0]).toMatchObject({ excerpt: expect.stringContaining('The herons sleep') });
  expect(leftOut).toEqual({ facts: 0, hits: 0, details: 0 });
});

it('turns around a turn that do not fit are left out, and counted', async () => {
  const { hits, leftOut } = await fitted([hit(1, 'White.', [LONG]), hit(2, 'Grey.')], 200);
  expect(ranksOf(hits)).toEqual([1, 2]);
  expect(hits[0]).toMatchObject({ after: [] });
  expect(leftOut).toEqual({ facts: 0, hits: 0, details: 1 });
});

it('a hit that does not fit at all leaves its place to the next one', async () => {
  const memory = { name: '', text: LONG };
  const summary = { kind: 'SEMANTIC_MEMORY', rank: 1, score: 1, memory } as unknown as Hit;
  const { hits, leftOut } = await fitted([summary, hit(2, 'White.')], 100);
  expect(ranksOf(hits)).toEqual([2]);
  expect(leftOut).toEqual({ facts: 0, hits: 1, details: 0 });
});
