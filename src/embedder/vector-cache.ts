import { createHash } from 'node:crypto';

/** The vectors of the texts used last. */
export type VectorCache = {
  /** A copy of the text's vector. */
  get(text: string): Float32Array | undefined;
  set(text: string, vector: Float32Array): void;
};

/** Longer texts are known by their hash, so that the cache does not hold on to them. */
const MAX_KEY = 64;

const keyOf = (text: string): string =>
  text.length <= MAX_KEY ? `=${text}` : createHash('sha256').update(text).digest('base64url');

/** Holds up to `size` vectors, dropping the one unused for longest. */
export function createVectorCache(size: number): VectorCache {
  // A Map iterates in the order of insertion, so the first key is the oldest.
  const vectors = new Map<string, Float32Array>();
  return {
    get: (text) => {
      const key = keyOf(text);
      const vector = vectors.get(key);
      if (!vector) return undefined;
      vectors.delete(key);
      vectors.set(key, vector);
      return vector.slice();
    },
    set: (text, vector) => {
      const key = keyOf(text);
      vectors.delete(key);
      vectors.set(key, vector);
      for (const oldest of vectors.keys()) {
        if (vectors.size <= size) break;
        vectors.delete(oldest);
      }
    },
  };
}
