import type { Context } from '../context.ts';
import { findApiKey } from './api-keys.ts';

type Found = Awaited<ReturnType<typeof findApiKey>>;

/** API keys by their secrets, as far as possible without a look at the database. */
export type KnownKeys = {
  /** The valid key of a secret, if it was looked up just now. */
  known(secret: string): Promise<Found> | null;
  /** The valid key of a secret, looked up. */
  find(secret: string): Promise<Found>;
};

/**
 * How long a key is believed without a look at the database, in milliseconds. A revocation is
 * announced to all processes and ends that at once; this is for when an announcement is lost.
 */
const TRUSTED_FOR = 5_000;
const MOST = 1_000;

export function createKnownKeys(ctx: Context): KnownKeys {
  const keys = new Map<string, { found: Promise<Found>; until: number }>();
  ctx.announcer.onChange((userId) => {
    if (userId === null) keys.clear();
  });
  return {
    known(secret) {
      const known = keys.get(secret);
      return known && known.until > performance.now() ? known.found : null;
    },
    async find(secret) {
      if (keys.size >= MOST) keys.clear();
      // At once, so that all who ask at the same time wait for the same look.
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
