import { toFivePlaces } from '../../domain/core/vector.ts';

/** A vector in pgvector's text form, to five places. */
export const vectorLiteral = (vector: ArrayLike<number>): string =>
  `[${Array.from(vector, toFivePlaces).join(',')}]`;

const written = new WeakMap<object, Buffer>();

/**
 * pgvector's binary form of a vector: how many numbers, two bytes that mean nothing, the numbers of four bytes. The
 * package `pgvector` cannot write it, and its text form takes no typed arrays and has every digit: both are made by hand.
 */
export const VECTOR_HEAD = 4;

/**
 * A query's vector as a parameter, in binary: as text it takes ten times as long, here and there. Several statements take
 * it: written once. They read it with `halfvecOf`.
 */
export function queryParameter(vector: ArrayLike<number> | null): Buffer | null {
  if (vector === null) return null;
  const known = written.get(vector);
  if (known) return known;
  const bytes = Buffer.alloc(VECTOR_HEAD + 4 * vector.length);
  bytes.writeUInt16BE(vector.length);
  for (let at = 0; at < vector.length; at += 1) {
    bytes.writeFloatBE(vector[at] ?? 0, VECTOR_HEAD + 4 * at);
  }
  written.set(vector, bytes);
  return bytes;
}

/** Such a parameter to compare with stored vectors; worked out once, and not for every row. */
export const halfvecOf = (parameter: string): string => `(SELECT ${parameter}::vector::halfvec)`;

/** A vector from pgvector's text form; null stays null. */
export const readVector = (text: string | null): Float32Array | null =>
  text === null ? null : Float32Array.from(JSON.parse(text) as number[]);
