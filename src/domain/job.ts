/**
 * The steps by lane. Each lane has workers of its own, so that a slow model holds up neither the
 * keyword index nor the steps that only move rows.
 */
export const LANES = {
  rows: [
    'index-turns',
    'idle-thread',
    'watch-links',
    'tune-linking',
    'trim-events',
    'drop-vectors',
  ],
  vectors: ['embed-turns', 'embed-episodes', 'embed-facts', 'build-hnsw'],
  facts: ['extract-facts', 'consolidate-facts'],
  language: [
    'segment-thread',
    'capture-segments',
    'compact-thread',
    'link-threads',
    'tell-cross-thread',
    'consolidate',
    'synthesize-profile',
    'review-retrieved',
  ],
} as const;
export type Lane = keyof typeof LANES;
export type Step = (typeof LANES)[Lane][number];

/** In which lane a step runs. */
export const laneOf = (step: Step): Lane =>
  LANE_NAMES.find((lane) => (LANES[lane] as readonly Step[]).includes(step)) as Lane;

export const LANE_NAMES = Object.keys(LANES) as Lane[];

/** A wake-up to store: the step, the thread (or turn to be read again) it concerns (0 = the whole user), and when. */
export type JobDraft = { step: Step; subject: number; runAt: Date };

/**
 * How long a step waits after its wake-up for more of the same, in milliseconds: turns that come
 * close together are worked on together.
 */
export type Gather = Partial<Record<Step, number>>;

/** When a step is to run that was woken now. */
export const gathered = (step: Step, gather: Gather, now: Date): Date =>
  new Date(now.getTime() + (gather[step] ?? 0));

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
