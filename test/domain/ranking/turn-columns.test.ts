import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANKING_WEIGHTS } from '../../../src/domain/ranking/ranking.ts';
import { selectTurns } from '../../../src/domain/ranking/select-turns.ts';
import { addTurns, noTurns, rowsAround } from '../../../src/domain/ranking/turn-columns.ts';
import { addVectors, nearnessOf, noVectors } from '../../../src/domain/ranking/turn-vectors.ts';
import { seededRandom } from '../../../tools/support/random.ts';

/** Turns by id: thread, and place in it. */
const columnsOf = (...turns: [number, number, number][]) => ({
  ids: turns.map(([id]) => id),
  threadIds: turns.map(([, thread]) => thread),
  numbers: turns.map(([, , number]) => number),
  words: turns.map(() => 5),
});

describe('the columns of a memory', () => {
  it('columns know the neighbours of a turn, in whatever order turns were added', () => {
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
          const around = new Int32Array(5);
          rowsAround(columns, columns.rowOf.get(at + 1) as number, around);
          for (const offset of [-2, -1, 0, 1, 2]) {
            const row = around[2 + offset] as number;
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

  it('columns give the similarity of the turns that have vectors, whenever these arrived', () => {
    const columns = noTurns();
    const vectors = noVectors();
    addTurns(columns, columnsOf([1, 1, 1], [2, 1, 2]));
    addVectors(vectors, columns, [2], Float32Array.of(0, 1, 0, 0, 0));
    addTurns(columns, columnsOf([3, 2, 1]));
    addVectors(vectors, columns, [3, 9], Float32Array.of(0.6, 0, 0, 0, 0.8, 1, 0, 0, 0, 0));
    const query = Float32Array.of(1, 2, 3, 4, 5);
    const of = (asked: Float32Array | null) => {
      const near = nearnessOf(vectors, columns, asked);
      return [0, 1, 2].map((row) => near.of(row));
    };
    expect(of(query)).toEqual([null, 2, expect.closeTo(4.6, 5)]);
    expect([...nearnessOf(vectors, columns, query).nearest(1, null)]).toEqual([
      Number.NaN,
      2,
      expect.closeTo(4.6, 5),
    ]);
    expect(of(null)).toEqual([null, null, null]);
    expect(of(Float32Array.of(1, 2))).toEqual([null, null, null]);
  });

  it('each of several turns is compared, except those without a vector', () => {
    const columns = noTurns();
    const vectors = noVectors();
    addTurns(columns, columnsOf([1, 1, 1], [2, 1, 2], [3, 1, 3], [4, 1, 4], [5, 1, 5], [6, 1, 6]));
    addVectors(vectors, columns, [1, 3, 4, 5, 6], Float32Array.of(1, 0, 0, 1, 1, 1, 2, 0, 0, 3));
    const compared = nearnessOf(vectors, columns, Float32Array.of(2, 1)).nearest(3, null);
    expect([...compared]).toEqual([2, Number.NaN, 1, 3, 4, 3]);
  });

  it('of thousands of turns the nearest are among those that are compared exactly', () => {
    const random = seededRandom(3);
    const count = 3_000;
    const dimension = 70;
    const columns = noTurns();
    const vectors = noVectors();
    addTurns(
      columns,
      columnsOf(
        ...Array.from({ length: count }, (_, n) => [n + 1, 1, n + 1] as [number, number, number]),
      ),
    );
    const values = Float32Array.from({ length: count * dimension }, () => random() - 0.5);
    addVectors(vectors, columns, columns.ids.subarray(0, count) as never, values);
    const query = values.subarray(70 * 7, 70 * 8).map((value) => value + (random() - 0.5) / 4);
    const compared = nearnessOf(vectors, columns, query).nearest(100, null);
    const exact = compared.filter((value) => !Number.isNaN(value)).length;
    expect(exact).toBeGreaterThanOrEqual(400);
    expect(exact).toBeLessThan(600);
    const { of } = nearnessOf(vectors, columns, query);
    const nearest = Array.from({ length: count }, (_, row) => row).sort(
      (a, b) => (of(b) ?? 0) - (of(a) ?? 0),
    );
    expect(nearest[0]).toBe(7);
    expect(nearest.slice(0, 20).filter((row) => Number.isNaN(compared[row]))).toEqual([]);

    const isEven = Uint8Array.from({ length: count }, (_, row) => (row + 1) % 2);
    const even = nearnessOf(vectors, columns, query).nearest(100, isEven);
    const rows = [...even.keys()].filter((row) => !Number.isNaN(even[row]));
    expect(rows.length).toBeGreaterThanOrEqual(400);
    expect(rows.filter((row) => row % 2 === 1)).toEqual([]);
    const nearestEven = nearest.filter((row) => row % 2 === 0).slice(0, 10);
    expect(nearestEven.filter((row) => Number.isNaN(even[row]))).toEqual([]);

    const allowed = Uint8Array.from({ length: count }, (_, row) => (row % 50 === 0 ? 1 : 0));
    const asked = { columns, allowed, near: nearnessOf(vectors, columns, query), cues: null };
    const sizes = { postings: [], turns: count, threads: 1, meanWords: 1 };
    expect(selectTurns({ ...asked, ...sizes }, RANKING_WEIGHTS).turns).toHaveLength(count / 50);
  });
});
