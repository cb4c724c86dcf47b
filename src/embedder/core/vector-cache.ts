import { asStored } from '../../domain/core/vector.ts';
import { orAbort } from '../../shared/or-abort.ts';
import { type EmbedOptions, isQuery } from './embedder.ts';
import { textKey } from './text-key.ts';

/** A cache of vectors by text. */
export type VectorCache = {
  /** Returns a copy of the text's vector, and undefined if it is not cached. */
  get(text: string): Float32Array | undefined;
  set(text: string, vector: Float32Array): void;
  /** Notes that a call embeds these texts. @returns the same call */
  begin(texts: readonly string[], call: Promise<unknown>): Promise<unknown>;
  /** Resolves when the calls that embed some of these texts now have succeeded or failed; null if there are none. */
  others(texts: readonly string[]): Promise<unknown> | null;
};

/** Creates a cache of up to `size` vectors that evicts the least recently used one. */
export function createVectorCache(size: number): VectorCache {
  // A Map iterates in the order of insertion, so the first key is the oldest.
  const vectors = new Map<string, Float32Array>();
  const calls = new Map<string, Promise<unknown>>();
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
    begin(texts, call) {
      const keys = texts.map(textKey);
      for (const key of keys) calls.set(key, call);
      const end = () => {
        for (const key of keys) if (calls.get(key) === call) calls.delete(key);
      };
      call.then(end, end);
      return call;
    },
    others(texts) {
      const found = texts.flatMap((text) => calls.get(textKey(text)) ?? []);
      return found.length > 0 ? Promise.allSettled(found) : null;
    },
  };
}

/** How to get the vectors that are not in the cache. */
type Source = {
  options: Pick<EmbedOptions, 'priority' | 'as' | 'stored' | 'signal'>;
  /** Calls `keep` with the vector of each missing text; vectors kept before a failure stay in the cache. */
  embed: (
    missing: readonly string[],
    keep: (text: string, vector: Float32Array) => void,
  ) => Promise<void>;
};

/**
 * Returns copies of the vectors of texts, in order; those of documents in the precision of the database. Each text that is
 * neither cached nor stored is embedded once, also when several background calls ask for it at a time.
 */
export async function throughCache(
  cache: VectorCache,
  texts: readonly string[],
  { options, embed }: Source,
): Promise<Float32Array[]> {
  const { priority, stored, signal } = options;
  const found = new Map<string, Float32Array>();
  const unknown = () => [...new Set(texts)].filter((text) => !found.has(text));
  const lookUp = () => {
    for (const text of unknown()) {
      const vector = cache.get(text);
      if (vector) found.set(text, vector);
    }
  };
  lookUp();
  const uncached = stored ? unknown() : [];
  if (stored && uncached.length > 0) {
    const vectors = await stored(uncached.map((text) => texts.indexOf(text)));
    // They are not cached, since they can be read again.
    for (const [at, vector] of vectors.entries()) if (vector) found.set(uncached[at]!, vector);
  }
  const others = priority === 'batch' ? cache.others(unknown()) : null;
  if (others) {
    await orAbort(others, signal);
    lookUp();
  }
  const missing = unknown();
  if (missing.length > 0) {
    const keep = (text: string, vector: Float32Array) => {
      found.set(text, vector);
      cache.set(text, vector);
    };
    await cache.begin(missing, embed(missing, keep));
  }
  const copy = isQuery(options) ? (vector: Float32Array) => vector.slice() : asStored;
  return texts.map((text) => copy(found.get(text)!));
}
