/** A timer of Node counts in 32 bits: a longer one would go off at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Milliseconds as a timer can hold them: what is too long, or no number, waits as long as `most`.
 * @param most milliseconds
 */
export function timerDelay(milliseconds: number, most: number = LONGEST): number {
  const longest = Math.min(most, LONGEST);
  return Number.isNaN(milliseconds) ? longest : Math.min(longest, Math.max(1, milliseconds));
}
