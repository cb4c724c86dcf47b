import type { Context } from '../context.ts';
import type { FoundKey } from '../db/operations/api-keys.ts';
import { findApiKey } from './api-keys.ts';

type Lookup = FoundKey | null;

/** A cache of valid API keys by their secrets. */
export type KeyCache = {
  /** The cached key with this secret; null if it is not cached or its time is up. */
  cached(secret: string): Promise<Lookup> | null;
  /** Looks the key with this secret up in the database and caches it if it is valid. */
  find(secret: string): Promise<Lookup>;
};

/**
 * How long a key is cached, in milliseconds, before it is checked against the database again.
 * A revocation is published to all processes and clears the cache at once; this limit covers a lost notification.
 */
const CACHED_FOR = 5_000;
const MAX_CACHED = 1_000;

export function createKeyCache(ctx: Context): KeyCache {
  const cache = new Map<string, { lookup: Promise<Lookup>; until: number }>();
  ctx.publisher.onChange((userId) => {
    if (userId === null) cache.clear();
  });
  return {
    cached(secret) {
      const entry = cache.get(secret);
      return entry && entry.until > performance.now() ? entry.lookup : null;
    },
    async find(secret) {
      if (cache.size >= MAX_CACHED) cache.clear();
      // Cached before the lookup is finished, so that concurrent requests share one lookup.
      const entry = { lookup: findApiKey(ctx, secret), until: performance.now() + CACHED_FOR };
      cache.set(secret, entry);
      const evict = () => {
        if (cache.get(secret) === entry) cache.delete(secret);
      };
      const key = await entry.lookup.catch((error) => {
        evict();
        throw error;
      });
      if (key === null) evict();
      else if (key.remaining !== null) {
        entry.until = Math.min(entry.until, performance.now() + key.remaining);
      }
      return key;
    },
  };
}
