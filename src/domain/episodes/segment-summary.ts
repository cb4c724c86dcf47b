import { firstState, retrievability } from './forgetting.ts';

/** A closed segment: its place in the thread, its forgetting curve, and the similarity of its summary to a query. */
export type SegmentSummary = {
  threadId: number;
  firstTurn: number;
  lastTurn: number;
  /** FSRS stability in days, of it or of the episode it was merged into; null if it is not an episode. */
  stability: number | null;
  /** The time of the last review, else of its end, in milliseconds. */
  at: number;
  /** 0-1. */
  surprise: number;
  /** The cosine between its title and summary and the query; null without a vector. */
  similarity: number | null;
};

/** Finds the segment of a turn; null for a turn in none. */
export type SegmentOf = (turn: { threadId: number; number: number }) => SegmentSummary | null;

export function segmentFinder(segments: readonly SegmentSummary[]): SegmentOf {
  const byThread = new Map<number, SegmentSummary[]>();
  for (const segment of segments) {
    const group = byThread.get(segment.threadId);
    if (group) group.push(segment);
    else byThread.set(segment.threadId, [segment]);
  }
  for (const group of byThread.values()) group.sort((a, b) => a.firstTurn - b.firstTurn);
  return ({ threadId, number }) => {
    const inThread = byThread.get(threadId) ?? [];
    let low = 0;
    let high = inThread.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((inThread[middle] as SegmentSummary).lastTurn < number) low = middle + 1;
      else high = middle;
    }
    const found = inThread[low];
    return found && found.firstTurn <= number ? found : null;
  };
}

/** The retrievability of a segment, 0-1. A segment that is not an episode fades as if it had become one at its end. */
export function segmentRetrievability(
  { stability, at, surprise }: Pick<SegmentSummary, 'stability' | 'at' | 'surprise'>,
  now: Date,
): number {
  const state = { stability: stability ?? firstState(surprise).stability };
  return retrievability(state, new Date(at), now);
}
