import type { TurnColumns } from './turn-columns.ts';

/** The vectors of a memory's turns, by the rows of its columns. */
export type TurnVectors = {
  dimension: number;
  /** One after the other. */
  values: Float32Array;
  /** By row, whether there is one. */
  has: Uint8Array;
};

export const noVectors = (): TurnVectors => ({
  dimension: 0,
  values: new Float32Array(0),
  has: new Uint8Array(0),
});

/** Adds the vectors of turns that have a row; one after the other in `values`. */
export function addVectors(
  vectors: TurnVectors,
  { rowOf, ids }: TurnColumns,
  turnIds: readonly number[],
  values: Float32Array,
): void {
  if (turnIds.length === 0) return;
  vectors.dimension = values.length / turnIds.length;
  const { dimension } = vectors;
  if (vectors.has.length < ids.length) {
    vectors.has = enlarged(vectors.has, new Uint8Array(ids.length));
    vectors.values = enlarged(vectors.values, new Float32Array(ids.length * dimension));
  }
  for (const [index, id] of turnIds.entries()) {
    const row = rowOf.get(id);
    if (row === undefined) continue;
    const from = index * dimension;
    vectors.values.set(values.subarray(from, from + dimension), row * dimension);
    vectors.has[row] = 1;
  }
}

function enlarged<A extends Uint8Array | Float32Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}

/** The dot product of a query and each turn, by row; NaN where a turn has no vector. */
export function similaritiesOf(
  { dimension, values, has }: TurnVectors,
  rows: number,
  query: ArrayLike<number> | null,
): Float32Array {
  const found = new Float32Array(rows).fill(Number.NaN);
  if (query === null || query.length !== dimension) return found;
  const asked = Float32Array.from(query);
  for (let row = 0; row < rows; row += 1) {
    if (has[row] === 1) found[row] = dot(values, row * dimension, asked);
  }
  return found;
}

/** Four sums at once: the processor adds them side by side. */
function dot(values: Float32Array, from: number, query: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < query.length; at += 4) {
    a += (values[from + at] as number) * (query[at] as number);
    b += (values[from + at + 1] as number) * (query[at + 1] as number);
    c += (values[from + at + 2] as number) * (query[at + 2] as number);
    d += (values[from + at + 3] as number) * (query[at + 3] as number);
  }
  for (; at < query.length; at += 1) a += (values[from + at] as number) * (query[at] as number);
  return a + b + c + d;
}
