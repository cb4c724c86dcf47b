import { LRUCache } from 'lru-cache';
import { MINUTE } from '../../shared/duration.ts';

/** How many results are kept. */
const MOST = 2_000;

/**
 * Caches a function of a text. A turn is read again as context of each of the turns after it, mostly within seconds. Results are
 * dropped after a minute, since they contain words that may be forgotten.
 * @param read gives the same result for the same text, which nobody changes
 */
export function cached<Result extends NonNullable<unknown>>(
  read: (text: string) => Result,
): (text: string) => Result {
  const results = new LRUCache<string, Result>({
    max: MOST,
    ttl: MINUTE,
    ttlAutopurge: true,
    memoMethod: read,
  });
  return (text) => results.memo(text);
}
