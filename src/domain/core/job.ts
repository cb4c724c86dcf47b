/** When something was received; now if nothing was, or by a clock that was ahead of this one. */
export const earlierOf = (receivedAt: Date | null, now: Date): Date =>
  receivedAt && receivedAt < now ? receivedAt : now;

/** What a step leaves to do: nothing, more of the same at once, or a look at a later time. */
export type StepOutcome = 'done' | 'again' | Date;

/** A step that failed this often waits for a person. */
export const MAX_ATTEMPTS = 5;

/** Seconds to wait after the n-th failed attempt (from 1): 2, 8, 32, 128. */
export function retryDelay(attempts: number): number {
  return 2 * 4 ** (attempts - 1);
}
