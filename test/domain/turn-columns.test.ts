import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTurns, noTurns, rowAt } from '../../src/domain/turn-columns.ts';
import { addVectors, noVectors, similaritiesOf } from '../../src/domain/turn-vectors.ts';

/** Turns by id: thread, and place in it. */
const columnsOf = (...turns: [number, number, number][]) => ({
  ids: turns.map(([id]) => id),
  threadIds: turns.map(([, thread]) => thread),
  numbers: turns.map(([, , number]) => number),
  words: turns.map(() => 5),
});

describe('the columns of a memory', () => {
  it('know what stands around a turn in its thread, in whatever pieces and order turns come', () => {
    const memory = fc
      .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 })
      .chain((threads) =>
        fc.record({
          threads: fc.constant(threads),
          order: fc.shuffledSubarray([...threads.keys()], { minLength: threads.length }),
          piece: fc.integer({ min: 1, max: 9 }),
        }),
      );
    fc.assert(
      fc.property(memory, ({ threads, order, piece }) => {
        const numbers = threads.map(
          (thread, at) => threads.slice(0, at + 1).filter((other) => other === thread).length,
        );
        const columns = noTurns();
        for (let from = 0; from < order.length; from += piece) {
          const turns = order
            .slice(from, from + piece)
            .map((at): [number, number, number] => [
              at + 1,
              threads[at] as number,
              numbers[at] as number,
            ]);
          addTurns(columns, columnsOf(...turns));
          addTurns(columns, columnsOf(...turns));
        }
        expect(columns.rows).toBe(threads.length);
        for (const [at, thread] of threads.entries()) {
          for (const offset of [-2, -1, 0, 1, 2]) {
            const row = rowAt(columns, columns.rowOf.get(at + 1) as number, offset);
            const found = threads.findIndex(
              (other, index) =>
                other === thread && numbers[index] === (numbers[at] as number) + offset,
            );
            expect(row === -1 ? 0 : columns.ids[row]).toBe(found + 1);
          }
        }
      }),
    );
  });

  it('have the nearness of those turns that have vectors, whenever these came', () => {
    const columns = noTurns();
    const vectors = noVectors();
    addTurns(columns, columnsOf([1, 1, 1], [2, 1, 2]));
    addVectors(vectors, columns, [2], Float32Array.of(0, 1, 0, 0, 0));
    addTurns(columns, columnsOf([3, 2, 1]));
    addVectors(vectors, columns, [3, 9], Float32Array.of(0.6, 0, 0, 0, 0.8, 1, 0, 0, 0, 0));
    const query = [1, 2, 3, 4, 5];
    expect([...similaritiesOf(vectors, columns.rows, query)]).toEqual([
      Number.NaN,
      2,
      expect.closeTo(4.6, 5),
    ]);
    expect([...similaritiesOf(vectors, columns.rows, null)]).toEqual([NaN, NaN, NaN]);
    expect([...similaritiesOf(vectors, columns.rows, [1, 2])]).toEqual([NaN, NaN, NaN]);
  });
});
