import { meanOf } from '../../../src/domain/segments/gap-statistics.ts';

/** A conversation's topic borders: those that are right and those that were found; turn `i` opens a topic. */
export type Segmented = {
  turns: number;
  boundaries: readonly number[];
  found: readonly number[];
};

/** Pk and WindowDiff 0 (best) to 1, means over conversations; exact boundaries' scores pooled. */
export type SegmentationScores = {
  pk: number;
  windowDiff: number;
  f1: number;
  precision: number;
  recall: number;
};

/** Half the mean length of a topic, at least 2. */
export const windowOf = (turns: number, boundaries: number): number =>
  Math.max(2, Math.round(turns / (boundaries + 1) / 2));

/**
 * Pk (Beeferman et al. 1999): the share of pairs of turns k apart of which it is wrong whether they
 * share a topic. WindowDiff (Pevzner & Hearst 2002): that, for how many borders lie between them.
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
  const [right, own] = [new Set(boundaries), new Set(found)];
  const pairs = Array.from({ length: Math.max(0, turns - k) }, (_, from) => ({
    right: between(right, from),
    own: between(own, from),
  }));
  return {
    pk: meanOf(pairs.map((pair) => (pair.right > 0 === pair.own > 0 ? 0 : 1))),
    windowDiff: meanOf(pairs.map((pair) => (pair.right === pair.own ? 0 : 1))),
  };
}

/** The figures of evaluation.md, eval:segmentation. */
export function scoreSegmentation(conversations: readonly Segmented[]): SegmentationScores {
  const errors = conversations.map(windowErrors);
  let [hits, found, wanted] = [0, 0, 0];
  for (const conversation of conversations) {
    const [right, own] = [new Set(conversation.boundaries), new Set(conversation.found)];
    hits += [...own].filter((turn) => right.has(turn)).length;
    found += own.size;
    wanted += right.size;
  }
  return {
    pk: meanOf(errors.map(({ pk }) => pk)),
    windowDiff: meanOf(errors.map(({ windowDiff }) => windowDiff)),
    f1: found + wanted === 0 ? 1 : (2 * hits) / (found + wanted),
    precision: found === 0 ? 0 : hits / found,
    recall: wanted === 0 ? 0 : hits / wanted,
  };
}
