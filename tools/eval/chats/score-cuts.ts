import type { Chat } from './chat-file.ts';
import type { MadeSegment, Memory } from './read-memory.ts';

/** Turns that open a topic inside a conversation: labelled and found, and what has no partner. */
export type CutScore = {
  labelled: number;
  found: number;
  hits: number;
  missed: number[];
  extra: number[];
};

/** A cut may stand so many turns beside the labelled one. */
const TOLERANCE = 1;

/**
 * Compares the cuts inside each conversation; each pairs with one at most. The first turn of a conversation is none, and
 * where a silence opens another thread nothing was cut: a topic that opens there is missed.
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

/** Turns that lie in another segment of the same thread than the one before. */
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

/** Pairs from the first on: with one tolerance for all, no other way pairs more. */
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
