import { describe, expect, it } from 'vitest';
import {
  scoreSegmentation,
  windowErrors,
  windowOf,
} from '../../../tools/eval/segmentation/segmentation-scores.ts';

describe('the window', () => {
  it.each([
    { turns: 24, boundaries: 2, k: 4 },
    { turns: 10, boundaries: 1, k: 3 },
    { turns: 10, boundaries: 4, k: 2 },
    { turns: 16, boundaries: 0, k: 8 },
  ])(
    'the window is half the mean length of a topic, and two at least: $turns turns, $boundaries boundaries',
    (row) => {
      expect(windowOf(row.turns, row.boundaries)).toBe(row.k);
    },
  );
});

describe('Pk and WindowDiff', () => {
  // Eight turns and a border before turn 4: k = 2, six pairs (0,2) (1,3) (2,4) (3,5) (4,6) (5,7).
  it.each([
    { name: 'the right border', found: [4], pk: 0, windowDiff: 0 },
    { name: 'never', found: [], pk: 2 / 6, windowDiff: 2 / 6 },
    // Between 1 and 3 wrongly, between 3 and 5 not.
    { name: 'one turn early', found: [3], pk: 2 / 6, windowDiff: 2 / 6 },
    // Two borders between 2 and 4 count once for Pk, and as a difference for WindowDiff.
    { name: 'one too many', found: [3, 4], pk: 1 / 6, windowDiff: 2 / 6 },
    { name: 'everywhere', found: [1, 2, 3, 4, 5, 6, 7], pk: 4 / 6, windowDiff: 1 },
  ])(
    'Pk and WindowDiff are right for these found boundaries: $name',
    ({ found, pk, windowDiff }) => {
      const errors = windowErrors({ turns: 8, boundaries: [4], found });
      expect(errors.pk).toBeCloseTo(pk);
      expect(errors.windowDiff).toBeCloseTo(windowDiff);
    },
  );

  it('scores are 0 for a conversation shorter than the window', () => {
    expect(windowErrors({ turns: 2, boundaries: [], found: [1] })).toEqual({
      pk: 0,
      windowDiff: 0,
    });
  });
});

describe('precision, recall and F1', () => {
  it('scores are pooled over the conversations', () => {
    const scores = scoreSegmentation([
      { turns: 10, boundaries: [4, 7], found: [4] },
      { turns: 10, boundaries: [5], found: [5, 6, 8] },
    ]);
    expect(scores).toMatchObject({ precision: 2 / 4, recall: 2 / 3 });
    expect(scores.f1).toBeCloseTo(4 / 7);
  });

  it('scores are perfect when there are no boundaries and none were found', () => {
    expect(scoreSegmentation([{ turns: 6, boundaries: [], found: [] }])).toMatchObject({
      f1: 1,
      pk: 0,
    });
  });
});
