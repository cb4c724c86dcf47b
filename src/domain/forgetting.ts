import { createEmptyCard, fsrs, generatorParameters, Rating } from 'ts-fsrs';

const DAY = 86_400_000;

const scheduler = fsrs(generatorParameters({ enable_fuzz: false, enable_short_term: false }));

/** What FSRS knows of a memory: stability in days, difficulty 1-10. */
export type MemoryState = { stability: number; difficulty: number };

/** The more surprising, the slower it fades: seed 001, `stability × (1 + 0.5 × surprise)`. */
const BOOST = 0.5;
/** From here a memory is a key moment, and from here one that is consolidated at once. */
export const KEY_MOMENT = 0.7;
export const FLASHBULB = 0.85;

/** The first state of a memory: as after a review rated "good", boosted by its surprise (0-1). */
export function firstState(at: Date, surprise: number): MemoryState {
  const { card } = scheduler.next(createEmptyCard(at), at, Rating.Good);
  return { stability: card.stability * (1 + BOOST * surprise), difficulty: card.difficulty };
}

/** How likely it is recalled now, 0-1 (the forgetting curve of FSRS); 1 before it was made. */
export function retrievability(
  state: Pick<MemoryState, 'stability'>,
  lastReview: Date,
  now: Date,
): number {
  const days = Math.max(0, (now.getTime() - lastReview.getTime()) / DAY);
  return scheduler.forgetting_curve(days, state.stability);
}
