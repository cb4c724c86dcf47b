import { describe, expect, it } from 'vitest';
import { cosine } from '../../../src/domain/core/vector.ts';
import {
  centrality,
  diverse,
  similarities,
  termCosine,
} from '../../../src/domain/episodes/summary.ts';

/** Two items alike, one apart from them, one in between. */
const TABLE = [
  [1, 0.95, 0.1, 0.5],
  [0.95, 1, 0.1, 0.5],
  [0.1, 0.1, 1, 0.4],
  [0.5, 0.5, 0.4, 1],
];

describe('centrality', () => {
  it('centrality is greatest for the item that most others resemble', () => {
    const ranks = centrality(TABLE, [1, 1, 1, 1]);
    expect(Math.max(...ranks)).toBe(1);
    expect(ranks[2]).toBe(Math.min(...ranks));
  });

  it('centrality follows the prior if no items are similar', () => {
    const [first = 0, second = 0] = centrality(
      [
        [1, 0],
        [0, 1],
      ],
      [3, 1],
    );
    expect(first / second).toBeCloseTo(3);
  });
});

describe('diverse', () => {
  it('diverse takes the best first and leaves out duplicates', () => {
    expect(diverse([1, 0.9, 0.3, 0.5], TABLE)).toEqual([0, 3, 2]);
  });
});

describe('similarities', () => {
  it('similarities are symmetric and never negative', () => {
    expect(similarities([1, -1, 0.5], (a, b) => a * b)).toEqual([
      [1, 0, 0.5],
      [0, 1, 0],
      [0.5, 0, 1],
    ]);
  });
});

describe('cosines', () => {
  it.each([
    [[1, 0], [1, 0], 1],
    [[1, 0], [0, 1], 0],
    [[0, 0], [1, 1], 0],
  ])('the cosine of %j and %j is %d', (a, b, expected) => {
    expect(cosine(a, b)).toBeCloseTo(expected);
  });

  it('the cosine of bags counts the terms that both have', () => {
    expect(
      termCosine(
        new Map([
          ['a', 1],
          ['b', 1],
        ]),
        new Map([['b', 1]]),
      ),
    ).toBeCloseTo(Math.SQRT1_2);
    expect(termCosine(new Map(), new Map([['b', 1]]))).toBe(0);
  });
});
