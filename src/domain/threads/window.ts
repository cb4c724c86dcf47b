/** Session window (requirements 3.1): the newest turns always stay in it. */
export const WINDOW_TURNS = 10;
/** And the newest turns that are in no closed segment, up to this many: the widest window of segmentation. */
export const MOST_WINDOW_TURNS = 40;

/** In this many of the last turns of an earlier thread, questions are looked for. */
export const ASKED_TURNS = 500;

type Newest = { number: number; thread: { segmentedThrough: number } };

/** Of a user's newest turns, the latest first, those of the session window, in the order they were said. */
export const windowOf = <T extends Newest>(newest: readonly T[]): T[] =>
  newest
    .filter(({ number, thread }, place) => place < WINDOW_TURNS || number > thread.segmentedThrough)
    .reverse();

/** Number of the first turn of a thread's session window. */
export const windowStart = (thread: { turnCount: number; segmentedThrough: number }): number => {
  const { turnCount, segmentedThrough } = thread;
  const pending = Math.min(turnCount - segmentedThrough, MOST_WINDOW_TURNS);
  return Math.max(1, turnCount - Math.max(WINDOW_TURNS, pending) + 1);
};
