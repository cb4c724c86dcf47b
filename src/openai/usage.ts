/** No request costs more: what a server says beyond it is a mistake, and must not use up the day. */
const MOST_TOKENS = 10_000_000;

/**
 * A number of tokens as a server tells it, who may tell anything: whole, and not more than one
 * request can cost. What is no count is counted by ourselves.
 */
export function tokenCount<T>(value: unknown, fallback: () => T): number | T {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return fallback();
  return Math.min(Math.floor(value), MOST_TOKENS);
}
