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

/** The similarity of turns to a query, as the dot product of unit vectors. @param query see `asCompared` */
export function nearnessOf(
  vectors: TurnVectors,
  { rows }: Pick<TurnColumns, 'rows'>,
  query: Float32Array | null,
): Nearness {
  const { dimension, values, has } = vectors;
  const cosines = new Float32Array(rows).fill(Number.NaN);
  if (query === null || query.length !== dimension) return givenNearness(cosines);
  const of = (row: number): number | null => {
    if (has[row] !== 1) return null;
    if (Number.isNaN(cosines[row])) cosines[row] = dot(values, row * dimension, query);
    return cosines[row] as number;
  };
  const nearest = (most: number, allowed: Uint8Array | null): Float32Array => {
    if (rows <= FEW) compareAll(vectors, query, cosines);
    else {
      const open = openAmong(has.slice(0, rows), allowed);
      for (const row of nearestBySigns(vectors.signs, open, signsOf(query), BY_SIGNS * most))
        of(row);
    }
    return cosines;
  };
  return { of, nearest };
}

/** By row: 1 if it has a vector and may be found. @param has is changed */
function openAmong(has: Uint8Array, allowed: Uint8Array | null): Uint8Array {
  if (allowed === null) return has;
  for (let row = 0; row < has.length; row += 1) if (allowed[row] !== 1) has[row] = 0;
  return has;
}

/** Compares all rows, four at a time: each number of the query is then read once for four. */
function compareAll(
  { dimension, values, has }: TurnVectors,
  query: Float32Array,
  cosines: Float32Array,
): void {
  const { length: rows } = cosines;
  let row = 0;
  for (; row + 3 < rows; row += 4) {
    const from = row * dimension;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let at = 0; at < dimension; at += 1) {
      const number = query[at] as number;
      const place = from + at;
      a += (values[place] as number) * number;
      b += (values[place + dimension] as number) * number;
      c += (values[place + 2 * dimension] as number) * number;
      d += (values[place + 3 * dimension] as number) * number;
    }
    cosines[row] = a;
    cosines[row + 1] = b;
    cosines[row + 2] = c;
    cosines[row + 3] = d;
  }
  for (; row < rows; row += 1) cosines[row] = dot(values, row * dimension, query);
  for (row = 0; row < rows; row += 1) if (has[row] !== 1) cosines[row] = Number.NaN;
}

/** The same for similarities that are computed already; NaN for turns without a vector. */
export const givenNearness = (similarities: Float32Array): Nearness => ({
  nearest: () => similarities,
  of: (row) => (Number.isNaN(similarities[row]) ? null : (similarities[row] as number)),
});

/**
 * The `most` rows with the fewest differing sign bits; of equal ones the later, which are newer.
 * @param open by row: 1 if it may be among them
 */
function nearestBySigns(
  signs: Int32Array,
  open: Uint8Array,
  query: Int32Array,
  most: number,
): number[] {
  const counts = new Uint32Array(query.length * BITS + 1);
  const distances = new Uint16Array(open.length);
  for (let row = 0; row < open.length; row += 1) {
    if (open[row] !== 1) continue;
    const distance = differing(signs, row * query.length, query);
    distances[row] = distance;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let last = 0;
  let left = most;
  for (; last + 1 < counts.length && left > (counts[last] as number); last += 1) {
    left -= counts[last] as number;
  }
  const nearest: number[] = [];
  for (let row = open.length - 1; row >= 0; row -= 1) {
    const distance = distances[row] as number;
    if (open[row] !== 1 || distance > last) continue;
    if (distance === last) left -= 1;
    if (distance < last || left >= 0) nearest.push(row);
  }
  return nearest;
}

/** The number of bits in which a query and as many words of `signs` differ. */
function differing(signs: Int32Array, from: number, query: Int32Array): number {
  let bits = 0;
  for (let at = 0; at < query.length; at += 1) {
    bits += bitsIn((signs[from + at] as number) ^ (query[at] as number));
  }
  return bits;
}

/** The number of set bits among 32, counted in pairs, fours and eights in parallel. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The dot product of a query and as many values. Four separate sums let the processor add in parallel. */
export function dot(values: Float32Array, from: number, query: Float32Array): number {
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
