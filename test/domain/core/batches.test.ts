import { expect, it } from 'vitest';
import { batchesOf } from '../../../src/domain/core/batches.ts';

it.each([
  ['nothing makes no batch', [], []],
  ['the sizes of a batch add up to the limit', [4, 6, 1], [[4, 6], [1]]],
  ['an item above the limit is a batch of its own', [1, 50, 1], [[1], [50], [1]]],
  ['a batch has at most so many items', [1, 1, 1, 1], [[1, 1, 1], [1]]],
])('%s', (_, sizes, batches) => {
  expect(batchesOf(sizes, { items: 3, size: 10 }, (size) => size)).toEqual(batches);
});
