import { expect, it } from 'vitest';
import {
  segmentFinder,
  segmentRetrievability,
} from '../../../src/domain/episodes/segment-summary.ts';

const DAY = 86_400_000;
const segment = (threadId: number, firstTurn: number, lastTurn: number) => ({
  ...{ threadId, firstTurn, lastTurn, stability: 3, at: 0, surprise: 0, similarity: null },
});

it('segmentFinder finds the segment of a turn, and none for a turn outside all segments', () => {
  const segments = [segment(1, 7, 9), segment(1, 1, 5), segment(2, 1, 3)];
  const find = segmentFinder(segments);
  expect(find({ threadId: 1, number: 1 })).toBe(segments[1]);
  expect(find({ threadId: 1, number: 9 })).toBe(segments[0]);
  expect(find({ threadId: 2, number: 2 })).toBe(segments[2]);
  for (const turn of [
    { threadId: 1, number: 6 },
    { threadId: 1, number: 10 },
    { threadId: 3, number: 1 },
  ])
    expect(find(turn)).toBeNull();
});

it('a segment fades by its stability or, without one, more slowly the more surprising it was', () => {
  const after = (days: number, own: object = {}) =>
    segmentRetrievability({ ...segment(1, 1, 1), ...own }, new Date(days * DAY));
  expect(after(3)).toBeCloseTo(0.9, 2);
  expect(after(30)).toBeLessThan(after(3));
  const plain = after(30, { stability: null });
  expect(after(30, { stability: null, surprise: 1 })).toBeGreaterThan(plain);
});
