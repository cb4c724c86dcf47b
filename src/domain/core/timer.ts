/** Node's timers have 32 bits; a longer delay would fire at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Limits a delay to what a timer can represent. A delay that is too long or NaN becomes `most`.
 * @param most milliseconds
 */
export function timerDelay(milliseconds: number, most: number = LONGEST): number {
  const longest = Math.min(most, LONGEST);
  return Number.isNaN(milliseconds) ? longest : Math.min(longest, Math.max(1, milliseconds));
}
