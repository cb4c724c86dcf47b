import type { TurnColumns } from './turn-columns.ts';

/** The vectors of a memory's turns, by the rows of its columns. */
export type TurnVectors = {
  dimension: number;
  /** The numbers of all vectors, one vector after the other. */
  values: Float32Array;
  /** One bit per number, set if it is above 0; 32 bits per entry. */
  signs: Int32Array;
  /** By row: whether it has a vector. */
  has: Uint8Array;
};

/** The similarity of turns to a query. */
export type Nearness = {
  /**
   * By row: the cosine of those that may be among the `most` nearest; NaN for most others.
   * @param allowed by row: whether a turn may be found; null = all
   */
  nearest(most: number, allowed: Uint8Array | null): Float32Array;
  /** The cosine of one row; null without a vector. */
  of(row: number): number | null;
};

/** Up to this many rows, all vectors are compared exactly. */
const FEW = 2_000;
/** With more rows, this many times the requested number is chosen by sign bits first, as in db/search/search-sql.ts. */
const BY_SIGNS = 4;

const BITS = 32;
const wordsOf = (dimension: number): number => Math.ceil(dimension / BITS);

export const noVectors = (): TurnVectors => ({
  dimension: 0,
  values: new Float32Array(0),
  signs: new Int32Array(0),
  has: new Uint8Array(0),
});

/** Adds vectors, one after the other in `values`. Turns without a row are ignored. */
export function addVectors(
  vectors: TurnVectors,
  { rowOf, ids }: TurnColumns,
  turnIds: readonly number[],
  values: Float32Array,
): void {
  if (turnIds.length === 0) return;
  const dimension = values.length / turnIds.length;
  vectors.dimension = dimension;
  if (vectors.has.length < ids.length) {
    const { length } = ids;
    vectors.has = enlarged(vectors.has, new Uint8Array(length));
    vectors.values = enlarged(vectors.values, new Float32Array(length * dimension));
    vectors.signs = enlarged(vectors.signs, new Int32Array(length * wordsOf(dimension)));
  }
  for (const [index, id] of turnIds.entries()) {
    const row = rowOf.get(id);
    if (row === undefined) continue;
    const vector = values.subarray(index * dimension, (index + 1) * dimension);
    vectors.values.set(vector, row * dimension);
    vectors.signs.set(signsOf(vector), row * wordsOf(dimension));
    vectors.has[row] = 1;
  }
}

function enlarged<A extends Uint8Array | Float32Array | Int32Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}

function signsOf(vector: Float32Array): Int32Array {
  const signs = new Int32Array(wordsOf(vector.length));
  for (const [at, value] of vector.entries()) {
    if (value > 0) signs[Math.floor(at / BITS)] = (signs[Math.floor(at / BITS)] ?? 0) | (1 << at);
  }
  return signs;
}

/**
 * Rounds a number to half precision (11 significant bits, ties to even), as the database stores it. JavaScript has no such
 * type before Node 24. For numbers of at most 1.
 */
function halfPrecision(value: number): number {
  const exact = Math.fround(value);
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(exact))), -14) - 10);
  const steps = exact / step;
  const down = Math.floor(steps);
  const over = steps - down;
  return (over > 0.5 || (over === 0.5 && down % 2 !== 0) ? down + 1 : down) * step;
}

/** The similarity of turns to a query, as the dot product of unit vectors. */
export function nearnessOf(
  { dimension, values, signs, has }: TurnVectors,
  { rows, ids }: Pick<TurnColumns, 'rows' | 'ids'>,
  query: ArrayLike<number> | null,
): Nearness {
  const cosines = new Float32Array(rows).fill(Number.NaN);
  if (query === null || query.length !== dimension) return givenNearness(cosines);
  const rounded = Float32Array.from(query, halfPrecision);
  const of = (row: number): number | null => {
    if (has[row] !== 1) return null;
    if (Number.isNaN(cosines[row])) cosines[row] = dot(values, row * dimension, rounded);
    return cosines[row] as number;
  };
  const nearest = (most: number, allowed: Uint8Array | null): Float32Array => {
    if (rows <= FEW) for (let row = 0; row < rows; row += 1) of(row);
    else {
      const having = Array.from({ length: rows }, (_, row) => row).filter(
        (row) => has[row] === 1 && (allowed === null || allowed[row] === 1),
      );
      const newest = having.sort((a, b) => (ids[b] as number) - (ids[a] as number));
      for (const row of nearestBySigns(signs, newest, signsOf(rounded), BY_SIGNS * most)) of(row);
    }
    return cosines;
  };
  return { of, nearest };
}

/** The same for similarities that are computed already; NaN for turns without a vector. */
export const givenNearness = (similarities: Float32Array): Nearness => ({
  nearest: () => similarities,
  of: (row) => (Number.isNaN(similarities[row]) ? null : (similarities[row] as number)),
});

/** The `most` rows with the fewest differing sign bits; of equal ones, those that come first. */
function nearestBySigns(
  signs: Int32Array,
  rows: readonly number[],
  query: Int32Array,
  most: number,
): number[] {
  const { length: words } = query;
  const distances = new Uint16Array(rows.length);
  const counts = new Uint32Array(words * BITS + 1);
  for (const [index, row] of rows.entries()) {
    let distance = 0;
    for (let at = 0; at < words; at += 1) {
      distance += bitsIn((signs[row * words + at] as number) ^ (query[at] as number));
    }
    distances[index] = distance;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let last = 0;
  let left = most;
  for (; last < words * BITS && left > (counts[last] as number); last += 1) {
    left -= counts[last] as number;
  }
  return rows.filter((_, index) => {
    const distance = distances[index] as number;
    if (distance === last) left -= 1;
    return distance < last || (distance === last && left >= 0);
  });
}

/** The number of set bits among 32, counted in pairs, fours and eights in parallel. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The dot product. Four separate sums let the processor add in parallel. */
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
