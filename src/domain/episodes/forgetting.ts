import { computeDecayFactor, fsrs, generatorParameters, Rating } from 'ts-fsrs';
import { calendarOf } from '../../shared/calendar.ts';
import { DAY } from '../../shared/duration.ts';

const scheduler = fsrs(generatorParameters({ enable_fuzz: false, enable_short_term: false }));

/** How useful a memory was after it was shown: not used, tangential, used, built upon (requirements 7.4). */
export const RATINGS = ['AGAIN', 'HARD', 'GOOD', 'EASY'] as const;
export type MemoryRating = (typeof RATINGS)[number];

/** What FSRS knows of a memory: stability in days, difficulty 1-10. */
export type MemoryState = { stability: number; difficulty: number };

/** The more surprising an episode is, the slower it fades: requirements 7.1, `stability × (1 + 0.5 × surprise)`. */
const BOOST = 0.5;
/** The surprise from which an episode is a key moment, and from which it is consolidated at once. */
export const KEY_MOMENT = 0.7;
export const FLASHBULB = 0.85;

const FIRST = scheduler.next_state(null, 0, Rating.Good);

/** The first state of a memory: as after a review rated "good", boosted by its surprise (0-1). */
export const firstState = (surprise: number): MemoryState => ({
  stability: FIRST.stability * (1 + BOOST * surprise),
  difficulty: FIRST.difficulty,
});

/** The probability that it is recalled now (the forgetting curve of FSRS); 1 before it was made. */
export function retrievability(
  state: Pick<MemoryState, 'stability'>,
  lastReview: Date,
  now: Date,
): number {
  const days = Math.max(0, (now.getTime() - lastReview.getTime()) / DAY);
  return scheduler.forgetting_curve(days, state.stability);
}

const { decay, factor } = computeDecayFactor(scheduler.parameters.w);

/** After how many times its stability a memory's retrievability has fallen to a share, 0-1: the forgetting curve inverted. */
export const fadedAfter = (share: number): number => (share ** (1 / decay) - 1) / factor;

/** Since when an episode fades: its last review, or its end if that is later, as when a cross-thread episode goes on. */
export const fadesSince = (endedAt: Date, lastReviewedAt: Date | null): Date =>
  lastReviewedAt && lastReviewedAt > endedAt ? lastReviewedAt : endedAt;

const GRADES = {
  AGAIN: Rating.Again,
  HARD: Rating.Hard,
  GOOD: Rating.Good,
  EASY: Rating.Easy,
} as const;

/** The FSRS state of a memory, and since when it has it (see `fadesSince`). */
export type FadingState = MemoryState & { since: Date };

/**
 * A memory after a review (FSRS). A review cannot come before the last one: its time is the later of both, which is the
 * new `since`.
 */
export function reviewed(memory: FadingState, rating: MemoryRating, at: Date): FadingState {
  const since = at > memory.since ? at : memory.since;
  const days = (since.getTime() - memory.since.getTime()) / DAY;
  const { stability, difficulty } = scheduler.next_state(memory, days, GRADES[rating]);
  return { stability, difficulty, since };
}

export type DecayPoint = { day: number; at: Date; retrievability: number };

/** The forgetting curve from a time on, one point a day: as it will be without another review. */
export function decayOf(memory: FadingState, from: Date, days: number): DecayPoint[] {
  return Array.from({ length: days + 1 }, (_, day) => {
    const at = new Date(from.getTime() + day * DAY);
    return { day, at, retrievability: retrievability(memory, memory.since, at) };
  });
}

/** Why a memory that was shown is not reviewed; null if it is. Days are those of the user's time zone. */
export function reviewSkip(
  { shownAt, lastReviewedAt }: { shownAt: Date; lastReviewedAt: Date | null },
  at: Date,
  timeZone: string | null,
): 'reviewed since it was shown' | 'reviewed that day' | null {
  if (!lastReviewedAt) return null;
  if (lastReviewedAt > shownAt) return 'reviewed since it was shown';
  const [last, now] = [lastReviewedAt, at].map((time) => calendarOf(time, timeZone).date);
  return last === now ? 'reviewed that day' : null;
}
