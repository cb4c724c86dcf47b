/** The time of receipt, or `now` if there is none or it lies in the future, as by a clock that was ahead. */
export const earlierOf = (receivedAt: Date | null, now: Date): Date =>
  receivedAt && receivedAt < now ? receivedAt : now;

/** What a step returns: nothing is left to do, run again at once, or run again at a time. */
export type StepOutcome = 'done' | 'again' | Date;

/** A step that failed this often is dead until somebody retries it. */
export const MAX_ATTEMPTS = 5;

/** Seconds to wait after the n-th failed attempt (from 1): 2, 8, 32, 128. */
export function retryDelay(attempts: number): number {
  return 2 * 4 ** (attempts - 1);
}
