import { cosine, sumOf } from '../../../src/domain/core/vector.ts';
import { termCosine } from '../../../src/domain/episodes/summary.ts';
import { depths, deviationOf, meanOf } from '../../../src/domain/segments/gap-statistics.ts';
import { termsOf } from '../../../src/language/text/terms.ts';
import type { Dialogue, Embedded } from './dialogues.ts';

/** A simple rule for boundaries, to compare the built-in segmentation with. */
export type Baseline = (dialogue: Embedded<Dialogue>) => number[];

/** Cuts where a value exceeds the conversation's mean by a number of standard deviations. */
const above = (values: readonly number[], deviations: number): number[] => {
  const limit = meanOf(values) + deviations * deviationOf(values);
  return values.flatMap((value, gap) => (value > limit ? [gap + 1] : []));
};

/** Turns on each side of a gap. */
const SIDE = 2;

/** Cuts at dips of the word cosine between blocks of two turns that exceed mean − sd / 2 (Hearst 1997). */
const textTiling: Baseline = ({ utterances }) => {
  const counts = utterances.map(termsOf);
  const block = (from: number, to: number) => {
    const all = new Map<string, number>();
    for (const words of counts.slice(Math.max(0, from), to)) {
      for (const [term, count] of words) all.set(term, (all.get(term) ?? 0) + count);
    }
    return all;
  };
  const gaps = utterances.slice(1).map((_, gap) => {
    return termCosine(block(gap + 1 - SIDE, gap + 1), block(gap + 1, gap + 1 + SIDE));
  });
  return above(depths(gaps), -0.5);
};

/** Cuts at dips of the vector cosine between blocks of two turns that exceed mean + 1.25 sd. */
const plainDepth: Baseline = ({ vectors }) => {
  const gaps = vectors.slice(1).map((_, gap) => {
    const before = sumOf(vectors.slice(Math.max(0, gap + 1 - SIDE), gap + 1));
    const after = sumOf(vectors.slice(gap + 1, gap + 1 + SIDE));
    return cosine(before, after);
  });
  return above(depths(gaps), 1.25);
};

/** Returns rules that use nothing, the mean length of a topic (`every`), and only words or only vectors. */
export const baselinesOf = (every: number): [string, Baseline][] => [
  ['never', () => []],
  [
    `every ${every}`,
    ({ utterances }) =>
      utterances.flatMap((_, turn) => (turn > 0 && turn % every === 0 ? [turn] : [])),
  ],
  ['TextTiling', textTiling],
  ['plain depth', plainDepth],
];
