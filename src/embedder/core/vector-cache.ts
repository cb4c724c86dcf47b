import { asStored } from '../../domain/core/vector.ts';
import { type EmbedOptions, isQuery } from './embedder.ts';
import { textKey } from './text-key.ts';

/** A cache of vectors by text. */
export type VectorCache = {
  /** Returns a copy of the text's vector, and undefined if it is not cached. */
  get(text: string): Float32Array | undefined;
  set(text: string, vector: Float32Array): void;
};

/** Creates a cache of up to `size` vectors that evicts the least recently used one. */
export function createVectorCache(size: number): VectorCache {
  // A Map iterates in the order of insertion, so the first key is the oldest.
  const vectors = new Map<string, Float32Array>();
  return {
    get: (text) => {
      const key = textKey(text);
      const vector = vectors.get(key);
      if (!vector) return undefined;
      vectors.delete(key);
      vectors.set(key, vector);
      return vector.slice();
    },
    set: (text, vector) => {
      const key = textKey(text);
      vectors.delete(key);
      vectors.set(key, vector);
      for (const oldest of vectors.keys()) {
        if (vectors.size <= size) break;
        vectors.delete(oldest);
      }
    },
  };
}

/** How to get the vectors that are not in the cache. */
type Source = {
  options: Pick<EmbedOptions, 'priority' | 'as' | 'stored'>;
  /** Calls `keep` with the vector of each missing text; vectors kept before a failure stay in the cache. */
  embed: (
    missing: readonly string[],
    keep: (text: string, vector: Float32Array) => void,
  ) => Promise<void>;
};

/**
 * Returns copies of the vectors of texts, in order; those of documents in the precision of the database. Each text that is
 * neither cached nor stored is embedded once.
 */
export async function throughCache(
  cache: VectorCache,
  texts: readonly string[],
  { options, embed }: Source,
): Promise<Float32Array[]> {
  const found = new Map<string, Float32Array | undefined>();
  for (const text of texts) if (!found.has(text)) found.set(text, cache.get(text));
  const missing = () => [...found.keys()].filter((text) => found.get(text) === undefined);
  const keep = (text: string, vector: Float32Array) => {
    found.set(text, vector);
    cache.set(text, vector);
  };
  const { stored } = options;
  const unknown = stored ? missing() : [];
  if (stored && unknown.length > 0) {
    const vectors = await stored(unknown.map((text) => texts.indexOf(text)));
    for (const [at, vector] of vectors.entries()) if (vector) keep(unknown[at]!, vector);
  }
  const rest = missing();
  if (rest.length > 0) await embed(rest, keep);
  const copy = isQuery(options) ? (vector: Float32Array) => vector.slice() : asStored;
  return texts.map((text) => copy(found.get(text)!));
}
