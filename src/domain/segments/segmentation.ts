/** Turns that make the step run: at so many pending ones. */
export const WINDOW = 20;
/** A window without a boundary grows once, to so many turns; then the whole is one segment. */
export const MAX_WINDOW = 2 * WINDOW;
/** Fewer pending turns wait, unless their thread is idle. */
export const FLOOR = 5;
/** Fewer turns are not split. */
export const NO_SPLIT = 3;
const MINUTE = 60_000;
/** A silence that cuts if one of the channels half agrees, and one that always cuts, in milliseconds. */
const SOFT_GAP = 30 * MINUTE;
const HARD_GAP = 180 * MINUTE;
/** How long the oldest pending turn waits, in milliseconds. */
export const OLDEST = 120 * MINUTE;
/** A boundary of the topic channel cuts from this confidence; at a soft gap, from half of it. */
const CONFIDENCE = 0.5;
/** The surprise of a single turn that cuts by itself; at a soft gap, half of it. */
const SURPRISE = 0.95;

/** A turn that lies in no closed segment. */
export type PendingTurn = { occurredAt: Date };

/** How a thread stands towards its segmentation. */
export type SegmentationState = {
  /** Turns in no closed segment. */
  pending: number;
  /** When the first of them was said. */
  oldest: Date | null;
  /** When it will have been quiet: turns of the past come in one batch after another. */
  quietAt: Date;
  /** How many there were when they were last looked at without a cut; 0 after a cut. */
  tried: number;
  /** The thread is idle or closed. */
  isOver: boolean;
};

/**
 * When a thread's pending turns are to be segmented (requirements 4.2): at 20 turns, when the oldest is two hours old, or
 * when the thread is idle; never under 5 turns unless it is idle. What was looked at in vain is looked at again at 20,
 * at 40, and when the thread is idle.
 *
 * @returns null when nothing is to be done for now
 */
export function segmentationDue(state: SegmentationState, now: Date): Date | null {
  const { pending, oldest, quietAt, tried, isOver } = state;
  if (pending === 0 || !oldest) return null;
  if (isOver || pending >= MAX_WINDOW) return now;
  if (pending >= WINDOW) return tried < WINDOW ? now : null;
  if (pending < FLOOR || tried > 0) return null;
  return new Date(Math.max(now.getTime(), quietAt.getTime(), oldest.getTime() + OLDEST));
}

/** Why a segment begins where it begins. */
type CutCause = 'TOPIC' | 'SURPRISE' | 'GAP';

/** Where a window is cut: before the turn of that index. */
export type Cut = { index: number; cause: CutCause };

/** What the two channels say of a window's turns. */
export type Channels = {
  /** Of the topic channel; ascending. */
  boundaries: readonly { index: number; confidence: number }[];
  /** Of the surprise channel, 0-1, for each turn; the first has none. */
  surprise: readonly number[];
};

/** The cuts of a window: either channel can cut, a hard gap always does, a soft one with half a reason. */
export function cutsOf(turns: readonly PendingTurn[], channels: Channels): Cut[] {
  if (turns.length < NO_SPLIT) return [];
  const confidence = new Map(channels.boundaries.map((own) => [own.index, own.confidence]));
  return turns.flatMap((turn, index): Cut[] => {
    const before = turns[index - 1];
    if (!before) return [];
    const gap = turn.occurredAt.getTime() - before.occurredAt.getTime();
    if (gap > HARD_GAP) return [{ index, cause: 'GAP' }];
    const ease = gap > SOFT_GAP ? 0.5 : 1;
    if ((confidence.get(index) ?? 0) >= CONFIDENCE * ease) return [{ index, cause: 'TOPIC' }];
    const surprised = (channels.surprise[index] ?? 0) >= SURPRISE * ease;
    return surprised ? [{ index, cause: 'SURPRISE' }] : [];
  });
}

/** Part of a window that is a segment now: its turns, both ends included, and why it ends. */
type ClosedPart = { first: number; last: number };

/** What becomes of a window: the segments that close, or that more turns are needed. */
export type Segmentation =
  | { kind: 'close'; parts: ClosedPart[] }
  /** No boundary in 20 turns: with 40 there may be one. */
  | { kind: 'widen' };

/**
 * Which segments of a window close. Of N segments N − 1 do and the last stays open as the start of the next event, until
 * the thread is over; a full window of 40 without a boundary is one segment.
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
