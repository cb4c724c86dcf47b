import type { Context } from '../context.ts';
import type { FoundKey } from '../db/operations/api-keys.ts';
import { findApiKey } from './api-keys.ts';

type Found = FoundKey | null;

/** A cache of API keys by their secrets. */
export type KeyCache = {
  /** The valid key of a secret, if it is in the cache. */
  cached(secret: string): Promise<Found> | null;
  /** The valid key of a secret, from the database. */
  find(secret: string): Promise<Found>;
};

/**
 * How long a key stays in the cache, in milliseconds. A revocation is published to all processes and empties their caches at
 * once; this limit is for a notification that is lost.
 */
const TRUSTED_FOR = 5_000;
const MOST = 1_000;

export function createKeyCache(ctx: Context): KeyCache {
  const keys = new Map<string, { found: Promise<Found>; until: number }>();
  ctx.announcer.onChange((userId) => {
    if (userId === null) keys.clear();
  });
  return {
    cached(secret) {
      const entry = keys.get(secret);
      return entry && entry.until > performance.now() ? entry.found : null;
    },
    async find(secret) {
      if (keys.size >= MOST) keys.clear();
      // Stored before the answer, so that requests at the same time share one query.
      const entry = { found: findApiKey(ctx, secret), until: performance.now() + TRUSTED_FOR };
      keys.set(secret, entry);
      const forget = () => {
        if (keys.get(secret) === entry) keys.delete(secret);
      };
      const found = await entry.found.catch((error) => {
        forget();
        throw error;
      });
      if (found === null) forget();
      else if (found.remaining !== null) {
        entry.until = Math.min(entry.until, performance.now() + found.remaining);
      }
      return found;
    },
  };
}
