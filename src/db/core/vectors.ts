import { toFivePlaces } from '../../domain/core/vector.ts';

/** The type number of real in PostgreSQL. */
const REAL = 700;
/** Bytes of an array's head in PostgreSQL's binary form, and of one of its numbers. */
const ARRAY_HEAD = 20;
const ARRAY_NUMBER = 8;

/**
 * Vectors of one length to store or compare, as one parameter: a real[] of all their numbers, to five places, in binary. As
 * text they take an embedded database ten times as long. One vector is read with `$n::real[]::halfvec`, several with `vectorAt`.
 */
export function vectorsParameter(vectors: readonly ArrayLike<number>[]): Buffer {
  const numbers = vectors.flatMap((vector) => Array.from(vector, toFivePlaces));
  const bytes = Buffer.alloc(ARRAY_HEAD + ARRAY_NUMBER * numbers.length);
  // One dimension, no nulls, the type, how many, and the first index.
  for (const [place, value] of [1, 0, REAL, numbers.length, 1].entries()) {
    bytes.writeInt32BE(value, 4 * place);
  }
  for (const [place, number] of numbers.entries()) {
    const at = ARRAY_HEAD + ARRAY_NUMBER * place;
    bytes.writeInt32BE(4, at);
    bytes.writeFloatBE(number, at + 4);
  }
  return bytes;
}

/** The two parameters from which `vectorAt` reads: the vectors, and how many numbers each has. */
export const vectorParameters = (vectors: readonly ArrayLike<number>[]): [Buffer, number] => [
  vectorsParameter(vectors),
  vectors[0]?.length ?? 0,
];

/**
 * SQL that reads a vector out of such a parameter.
 * @param parameter the parameter with the vectors, for example `$4`
 * @param place the vector's place among them, from 0
 * @param dimension how many numbers each vector has
 */
export const vectorAt = (parameter: string, place: string, dimension: string): string =>
  `(${parameter}::real[])[${dimension}::int * ${place} + 1 : ${dimension}::int * (${place} + 1)]::halfvec`;

const written = new WeakMap<object, Buffer>();

/**
 * pgvector's binary form of a vector: how many numbers, two bytes that mean nothing, the numbers of four bytes. The
 * package `pgvector` cannot write it, and its text form takes no typed arrays and has every digit: both are made by hand.
 */
const VECTOR_HEAD = 4;

/**
 * A query's vector as a parameter, in binary: as text it takes ten times as long, here and there. Several statements take
 * it: written once. They read it with `halfvecOf`.
 */
export function queryParameter(vector: ArrayLike<number> | null): Buffer | null {
  if (vector === null) return null;
  const cached = written.get(vector);
  if (cached) return cached;
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

/** SQL that returns a stored vector for `readVector`: pgvector's binary form in base64. Its text form takes three times as long. */
export const sentVector = (column: string): string => `encode(halfvec_send(${column}), 'base64')`;

/** A vector that `sentVector` returned; null stays null. */
export const readVector = (sent: string | null): Float32Array | null =>
  sent === null ? null : readHalfvecs(Buffer.from(sent, 'base64'), 1);

/** Reads vectors of one length that `halfvec_send` wrote, one behind the other, as one array of all their numbers. */
export function readHalfvecs(bytes: Buffer, count: number): Float32Array {
  const dimension = count === 0 ? 0 : (bytes.length / count - VECTOR_HEAD) / 2;
  const numbers = new Float32Array(count * dimension);
  halves ??= Float32Array.from({ length: 65_536 }, (_, bits) => numberOf(bits));
  let at = 0;
  for (let from = VECTOR_HEAD; at < numbers.length; from += VECTOR_HEAD) {
    for (const end = at + dimension; at < end; at += 1, from += 2) {
      numbers[at] = halves[((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0)] ?? 0;
    }
  }
  return numbers;
}

/** The number that each 16 bits mean; made when it is first needed. */
let halves: Float32Array | undefined;

/** The number that 16 bits mean (IEEE 754, binary16): a sign, five bits of exponent, ten of fraction. */
function numberOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
}
