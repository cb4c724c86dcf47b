import { expect, it } from 'vitest';
import { choose } from '../../../src/domain/ranking/choose.ts';
import type { Scored } from '../../../src/domain/ranking/scored.ts';

const entry = (kind: string, score: number) =>
  ({ kind, score, candidate: { id: 1, number: 0 } }) as Scored;
const pool = [
  ...Array.from({ length: 12 }, (_, index) => entry('TURN', 2 - index / 100)),
  ...Array.from({ length: 5 }, (_, index) => entry('EPISODE', 3 - index / 100)),
  ...Array.from({ length: 4 }, (_, index) => entry('FACT', 1 - index / 100)),
  entry('SEMANTIC_MEMORY', 0.1),
];
const kinds = (chosen: readonly Scored[]) =>
  chosen.reduce<Record<string, number>>(
    (counts, { kind }) => Object.assign(counts, { [kind]: (counts[kind] ?? 0) + 1 }),
    {},
  );
const by = (first: number, mostFacts = 24) => ({ first, mostFacts });

it('an ordinary question gets the best hits, with at most 3 episodes', () => {
  const chosen = choose(pool, 'ORDINARY', by(10));
  expect(kinds(chosen)).toEqual({ EPISODE: 3, TURN: 7 });
  expect(chosen.map(({ score }) => score)).toEqual(
    chosen.map(({ score }) => score).sort((a, b) => b - a),
  );
});

it('a question about earlier talk gets more episodes and a semantic memory', () => {
  expect(kinds(choose(pool, 'RECALL', by(10)))).toEqual({
    EPISODE: 5,
    TURN: 4,
    SEMANTIC_MEMORY: 1,
  });
});

it('an ordinary question gets two episodes even if everything else scores higher', () => {
  const weak = pool.map((one) => (one.kind === 'EPISODE' ? { ...one, score: 0.01 } : one));
  expect(kinds(choose(weak, 'ORDINARY', by(10)))).toEqual({ TURN: 8, EPISODE: 2 });
  expect(kinds(choose(weak, 'ORDINARY', by(3)))).toEqual({ TURN: 3 });
});

it('facts are limited to their quota', () => {
  expect(kinds(choose(pool, 'ORDINARY', by(20, 2)))).toMatchObject({ FACT: 2, TURN: 12 });
});

it('no candidates give no hits', () => {
  expect(choose([], 'RECALL', by(10))).toEqual([]);
});
