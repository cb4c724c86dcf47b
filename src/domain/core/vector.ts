import { f16round } from '@petamoriken/float16';

/** Cosine of two vectors of the same length; 0 if either is all zeros. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let left = 0;
  let right = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    left += x * x;
    right += y * y;
  }
  return left > 0 && right > 0 ? dot / Math.sqrt(left * right) : 0;
}

/** The sum of vectors of the same length: the direction of their mean. */
export function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  return sum;
}

/** The threshold between same and different topics of USE lite, the model with which the rules' weights were fitted. */
const FITTED_AT = 0.494;

/**
 * Returns a cosine that is stretched to the scale of the rules' weights.
 * @param novelty the embedding profile's threshold of that name: the same threshold for this model
 */
export function fittedCosine(novelty: number): (a: Float32Array, b: Float32Array) => number {
  const stretch = novelty < 1 ? (1 - FITTED_AT) / (1 - novelty) : 1;
  return (a, b) => 1 - (1 - cosine(a, b)) * stretch;
}

/**
 * Rounds a number to five places, halves away from zero: to half precision and back, it stays the same. Half precision holds
 * no more of a unit vector.
 */
export const toFivePlaces = (value: number): number =>
  (Math.sign(value) * Math.round(Math.abs(value) * 1e5)) / 1e5 + 0;

/** Rounds to half precision, as the database does. */
const toHalf = (value: number): number => f16round(Math.fround(value));

/** Rounds a query's vector to compare it with stored ones: the database does so, too. */
export const asCompared = (vector: ArrayLike<number>): Float32Array =>
  Float32Array.from(vector, toHalf);

/**
 * Rounds a vector as the database stores it: to five places, then to half precision. A vector that was just made and the
 * same one read back are then equal, so that no decision depends on which of the two a step had.
 */
export const asStored = (vector: Float32Array): Float32Array =>
  vector.map((value) => toHalf(toFivePlaces(value)));

/** The name under which `index_progress` records the last turn that an embedder has processed. */
export const vectorIndexName = (embedder: string): string => `vectors:${embedder}`;
