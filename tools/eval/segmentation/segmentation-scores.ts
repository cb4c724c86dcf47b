import { meanOf } from '../../../src/domain/segments/gap-statistics.ts';

/** The labelled boundaries of a conversation and those that were found. Each is the index of the turn that opens a topic. */
export type Segmented = {
  turns: number;
  boundaries: readonly number[];
  found: readonly number[];
};

/** Pk and WindowDiff are means over conversations, 0 (best) to 1. The others count exact boundaries over all conversations. */
export type SegmentationScores = {
  pk: number;
  windowDiff: number;
  f1: number;
  precision: number;
  recall: number;
};

/** Returns half the mean length of a topic, at least 2. */
export const windowOf = (turns: number, boundaries: number): number =>
  Math.max(2, Math.round(turns / (boundaries + 1) / 2));

/**
 * Returns Pk (Beeferman et al. 1999): the share of pairs of turns, k apart, that are wrongly put into the same topic or into
 * different ones. And WindowDiff (Pevzner & Hearst 2002): the share with a wrong number of boundaries in between.
 */
export function windowErrors({ turns, boundaries, found }: Segmented): {
  pk: number;
  windowDiff: number;
} {
  const k = windowOf(turns, new Set(boundaries).size);
  const between = (some: ReadonlySet<number>, from: number) =>
    Array.from({ length: k }, (_, step) => (some.has(from + step + 1) ? 1 : 0)).reduce<number>(
      (sum, one) => sum + one,
      0,
    );
  const [labelledSet, foundSet] = [new Set(boundaries), new Set(found)];
  const pairs = Array.from({ length: Math.max(0, turns - k) }, (_, from) => ({
    labelled: between(labelledSet, from),
    found: between(foundSet, from),
  }));
  return {
    pk: meanOf(pairs.map((pair) => (pair.labelled > 0 === pair.found > 0 ? 0 : 1))),
    windowDiff: meanOf(pairs.map((pair) => (pair.labelled === pair.found ? 0 : 1))),
  };
}

/** Returns the scores of several conversations, as `eval:segmentation` prints them. */
export function scoreSegmentation(conversations: readonly Segmented[]): SegmentationScores {
  const errors = conversations.map(windowErrors);
  let [hits, found, wanted] = [0, 0, 0];
  for (const conversation of conversations) {
    const [labelledSet, foundSet] = [new Set(conversation.boundaries), new Set(conversation.found)];
    hits += [...foundSet].filter((turn) => labelledSet.has(turn)).length;
    found += foundSet.size;
    wanted += labelledSet.size;
  }
  return {
    pk: meanOf(errors.map(({ pk }) => pk)),
    windowDiff: meanOf(errors.map(({ windowDiff }) => windowDiff)),
    f1: found + wanted === 0 ? 1 : (2 * hits) / (found + wanted),
    precision: found === 0 ? 0 : hits / found,
    recall: wanted === 0 ? 0 : hits / wanted,
  };
}
