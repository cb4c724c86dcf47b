import { DAY } from '../../shared/duration.ts';

/** How many turns without a summary make an active thread be compacted. */
const SIZE = 50;
/** How long the first of them may wait, in milliseconds. */
const AGE = DAY;

/** The progress of compacting a thread. */
export type CompactionProgress = {
  threadId: number;
  /** Turns collected. */
  turns: number;
  /** Of micro, meso and macro: how many are done. */
  summaries: number;
  /** Skills found. */
  skills: number;
  /** The finished PRIMARY episode, at the end. */
  episodeId: number | null;
};

/** What decides when a thread is compacted. */
export type CompactionState = {
  /** Turns of closed segments that are in no summary. */
  fresh: number;
  /** When the first of them was said. */
  oldest: Date | null;
  /** When no turn will have come for a while: imported turns come in one batch after another. */
  quietAt: Date;
  /** The thread is idle or closed. */
  isOver: boolean;
};

/**
 * When a thread is compacted (requirements 8.1): once it is idle or closed, at 50 fresh turns, when the first of them is a
 * day old. Never without fresh turns.
 * @returns null when there is nothing to compact
 */
export function compactionDue(state: CompactionState, now: Date): Date | null {
  const { fresh, oldest, quietAt, isOver } = state;
  if (fresh <= 0 || !oldest) return null;
  if (isOver || fresh >= SIZE) return now;
  return new Date(Math.max(now.getTime(), quietAt.getTime(), oldest.getTime() + AGE));
}
