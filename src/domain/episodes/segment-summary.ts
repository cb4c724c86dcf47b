import { firstState, retrievability } from './forgetting.ts';

/** A closed segment and its summary: where it lies in its thread, how it fades, and how near the summary is to a query. */
export type SegmentSummary = {
  threadId: number;
  firstTurn: number;
  lastTurn: number;
  /** In days, of it or of the episode that it became a part of; null for one that is no episode. */
  stability: number | null;
  /** When FSRS last moved, else when it ended; milliseconds. */
  at: number;
  /** 0-1. */
  surprise: number;
  /** Cosine of its title and summary and the query; null without a vector. */
  similarity: number | null;
};

/** Finds the segment in which a turn lies; null for a turn in none. */
export function segmentFinder(
  segments: readonly SegmentSummary[],
): (turn: { threadId: number; number: number }) => SegmentSummary | null {
  const byThread = new Map<number, SegmentSummary[]>();
  for (const segment of segments) {
    const own = byThread.get(segment.threadId);
    if (own) own.push(segment);
    else byThread.set(segment.threadId, [segment]);
  }
  for (const own of byThread.values()) own.sort((a, b) => a.firstTurn - b.firstTurn);
  return ({ threadId, number }) => {
    const own = byThread.get(threadId) ?? [];
    let low = 0;
    let high = own.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((own[middle] as SegmentSummary).lastTurn < number) low = middle + 1;
      else high = middle;
    }
    const found = own[low];
    return found && found.firstTurn <= number ? found : null;
  };
}

/** How likely what was said in a segment is remembered, 0-1; one that is no episode fades as if it had just become one. */
export function segmentRetrievability(
  { stability, at, surprise }: Pick<SegmentSummary, 'stability' | 'at' | 'surprise'>,
  now: Date,
): number {
  const since = new Date(at);
  const state = { stability: stability ?? firstState(since, surprise).stability };
  return retrievability(state, since, now);
}
