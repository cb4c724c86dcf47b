import { MINUTE } from '../../shared/duration.ts';

/** Segmentation runs at this many pending turns. */
export const WINDOW = 20;
/** A window without a boundary grows once, to this many turns, and then becomes one segment. */
export const MAX_WINDOW = 2 * WINDOW;
/** With fewer pending turns segmentation waits, unless their thread is over. */
export const FLOOR = 5;
/** A window of fewer turns is not split. */
export const NO_SPLIT = 3;
/** The silence that halves the thresholds of both channels, and the silence that always cuts, in milliseconds. */
const SOFT_GAP = 30 * MINUTE;
const HARD_GAP = 180 * MINUTE;
/** The age of the oldest pending turn at which segmentation runs, in milliseconds. */
export const OLDEST = 120 * MINUTE;
/** The confidence from which a boundary of the topic channel cuts; half of it at a soft gap. */
const CONFIDENCE = 0.5;
/** The surprise of a turn from which it cuts; half of it at a soft gap. */
const SURPRISE = 0.95;

/** A turn that is in no closed segment. */
export type PendingTurn = { occurredAt: Date };

/** The state of a thread that decides when it is segmented. */
export type SegmentationState = {
  /** Turns in no closed segment. */
  pending: number;
  /** When the first of them was said. */
  oldest: Date | null;
  /** Before this no segmentation by age: an import sends one batch after another. */
  quietAt: Date;
  /** How many turns were pending when segmentation last found no boundary; 0 after a cut. */
  tried: number;
  /** The thread is idle or closed. */
  isOver: boolean;
};

/**
 * When a thread's pending turns are segmented (requirements 4.2): at 20 turns, when the oldest is two hours old, or when the
 * thread is idle; never below 5 turns unless it is idle. If no boundary was found, again at 20 turns, at 40, and when the
 * thread is idle.
 * @returns null if nothing is to be done for now
 */
export function segmentationDue(state: SegmentationState, now: Date): Date | null {
  const { pending, oldest, quietAt, tried, isOver } = state;
  if (pending === 0 || !oldest) return null;
  if (isOver || pending >= MAX_WINDOW) return now;
  if (pending >= WINDOW) return tried < WINDOW ? now : null;
  if (pending < FLOOR || tried > 0) return null;
  return new Date(Math.max(now.getTime(), quietAt.getTime(), oldest.getTime() + OLDEST));
}

/** Why a segment begins at a turn. */
type CutCause = 'TOPIC' | 'SURPRISE' | 'GAP';

/** A cut before the turn with this index. */
export type Cut = { index: number; cause: CutCause };

/** The results of the two channels for a window. */
export type Channels = {
  /** The boundaries of the topic channel, ascending. */
  boundaries: readonly { index: number; confidence: number }[];
  /** The surprise of each turn, 0-1; the first has none. */
  surprise: readonly number[];
};

/** Whether the silence alone cuts; the turn after it is then not counted as surprising. */
export const isCutBySilence = (before: PendingTurn, turn: PendingTurn): boolean =>
  turn.occurredAt.getTime() - before.occurredAt.getTime() > HARD_GAP;

/** The cuts of a window. Either channel can cut, a hard gap always does, and a soft gap halves the channels' thresholds. */
export function cutsOf(turns: readonly PendingTurn[], channels: Channels): Cut[] {
  if (turns.length < NO_SPLIT) return [];
  const confidence = new Map(channels.boundaries.map((one) => [one.index, one.confidence]));
  return turns.flatMap((turn, index): Cut[] => {
    const before = turns[index - 1];
    if (!before) return [];
    if (isCutBySilence(before, turn)) return [{ index, cause: 'GAP' }];
    const gap = turn.occurredAt.getTime() - before.occurredAt.getTime();
    const ease = gap > SOFT_GAP ? 0.5 : 1;
    if ((confidence.get(index) ?? 0) >= CONFIDENCE * ease) return [{ index, cause: 'TOPIC' }];
    const surprised = (channels.surprise[index] ?? 0) >= SURPRISE * ease;
    return surprised ? [{ index, cause: 'SURPRISE' }] : [];
  });
}

/** A part of a window that becomes a segment: the indexes of its turns, both ends included. */
type ClosedPart = { first: number; last: number };

/** The result for a window: segments that close, or that more turns are needed. */
export type Segmentation =
  | { kind: 'close'; parts: ClosedPart[] }
  /** There is no boundary in 20 turns; there may be one in 40. */
  | { kind: 'widen' };

/**
 * Decides which segments of a window close. Of N segments, N − 1 do; the last stays open until the thread is over, because it
 * may continue. A window of 40 turns without a boundary becomes one segment.
 */
export function closeSegments(
  length: number,
  cuts: readonly Cut[],
  { isOver }: { isOver: boolean },
): Segmentation {
  const starts = [0, ...cuts.map(({ index }) => index)];
  const parts = starts.map((first, index) => ({ first, last: (starts[index + 1] ?? length) - 1 }));
  if (isOver) return { kind: 'close', parts };
  if (cuts.length > 0) return { kind: 'close', parts: parts.slice(0, -1) };
  return length >= MAX_WINDOW ? { kind: 'close', parts } : { kind: 'widen' };
}
