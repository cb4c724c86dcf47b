/** No request uses more tokens than this. A larger number is a server's mistake, and must not use up the daily limit. */
const MOST_TOKENS = 10_000_000;

/**
 * Reads a number of tokens from a server's answer, which may contain anything. Rounds it down and limits it to what one
 * request can use. If the value is not a count, returns `fallback()`.
 */
export function tokenCount<T>(value: unknown, fallback: () => T): number | T {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return fallback();
  return Math.min(Math.floor(value), MOST_TOKENS);
}
