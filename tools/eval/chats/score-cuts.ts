import type { Chat } from './chat-file.ts';
import type { MadeSegment, Memory } from './read-memory.ts';

/** Turns that open a topic inside a conversation: how many are labelled, found and both, and those without a match. */
export type CutScore = {
  labelled: number;
  found: number;
  hits: number;
  missed: number[];
  extra: number[];
};

/** How many turns a cut may be away from the labelled one. */
const TOLERANCE = 1;

/**
 * Compares the cuts inside each conversation with the labels; each matches one at most. The first turn of a conversation is
 * no cut. The beginning of a new thread after a silence is none either: a topic that opens there counts as missed.
 */
export function scoreCuts(
  { conversations, cuts }: Pick<Chat, 'conversations' | 'cuts'>,
  { segments, threadOf }: Pick<Memory, 'segments' | 'threadOf'>,
): CutScore {
  const total: CutScore = { labelled: 0, found: 0, hits: 0, missed: [], extra: [] };
  for (const { turns } of conversations) {
    const numbers = turns.map(({ n }) => n);
    const labelled = numbers.filter((n, place) => place > 0 && cuts.includes(n));
    const found = openings(numbers, segments, threadOf);
    const { missed, extra } = pairUp(numbers, labelled, found);
    total.labelled += labelled.length;
    total.found += found.length;
    total.hits += labelled.length - missed.length;
    total.missed.push(...missed);
    total.extra.push(...extra);
  }
  return total;
}

/** Returns the turns that are in another segment of the same thread than the turn before. */
function openings(
  numbers: readonly number[],
  segments: readonly MadeSegment[],
  threadOf: Memory['threadOf'],
): number[] {
  const segmentOf = new Map(segments.flatMap(({ id, turns }) => turns.map((n) => [n, id])));
  return numbers.filter((n, at) => {
    const before = numbers[at - 1];
    if (before === undefined || threadOf.get(n) !== threadOf.get(before)) return false;
    return segmentOf.get(n) !== segmentOf.get(before);
  });
}

/** Matches from the first on. Since all have the same tolerance, no other order matches more. */
function pairUp(numbers: readonly number[], labelled: readonly number[], found: readonly number[]) {
  const free = [...found];
  const missed = labelled.filter((label) => {
    const at = free.findIndex(
      (one) => Math.abs(numbers.indexOf(one) - numbers.indexOf(label)) <= TOLERANCE,
    );
    if (at < 0) return true;
    free.splice(at, 1);
    return false;
  });
  return { missed, extra: free };
}
