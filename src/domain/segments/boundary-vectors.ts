import { type TalkWords, wordLikeness } from './boundary-words.ts';
import { type ChangePointSetting, changePoints } from './change-points.ts';
import {
  blockSums,
  causalZScores,
  depths,
  deviationOf,
  meanOf,
  type PerGap,
  trust,
  zScores,
} from './gap-statistics.ts';

const CHANGES: Record<'fewChanges' | 'changes' | 'manyChanges', ChangePointSetting> = {
  fewChanges: { words: 1, coherence: 2, topic: 3, short: 0.7 },
  changes: { words: 1, coherence: 2, topic: 3, short: 0 },
  manyChanges: { words: 0.5, coherence: 4, topic: 5, short: 0 },
};

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
};

/**
 * The features of every gap from the turns' unit vectors. They do not depend on the range of a model's cosines: all are
 * z-scores in the conversation, ranks, or relative to the conversation's mean.
 */
export function vectorFeatures(vectors: readonly Float32Array[], words: TalkWords) {
  const turns = vectors.length;
  const gaps = Array.from({ length: turns - 1 }, (_, index) => index + 1);
  const cosines = vectors.map((a) => vectors.map((b) => dot(a, b)));
  const cosine = (a: number, b: number) => cosines[a]?.[b] ?? 0;
  const pairs = cosines.flatMap((row, a) => row.slice(a + 1));
  const [usual, spread] = [meanOf(pairs), Math.max(deviationOf(pairs), 1e-3)];
  const relative = (value: number) => ((value - usual) / spread) * trust(gaps.length);

  const weights = words.terms.map((ofTurn) => Math.sqrt(Math.min(ofTurn.size, 12) + 0.5));
  const weight = (turn: number) => weights[turn] ?? 0;
  const centred = centre(cosine, weights);

  const sum = blockSums(turns, cosine);
  const sides = sidesBy(sum, turns);
  const weighted = sidesBy(
    blockSums(turns, (a, b) => centred(a, b) * weight(a) * weight(b)),
    turns,
  );
  const [alike1, alike2, alike3] = [1, 2, 3].map((side) => gaps.map((at) => sides(at, side)));
  const topic2 = gaps.map((at) => weighted(at, 2));
  const best = (at: number, of: (a: number, b: number) => number) =>
    Math.max(...Array.from({ length: Math.min(4, at) }, (_, back) => of(at - 1 - back, at)));
  const onward = (at: number) => (at + 1 < turns ? cosine(at, at + 1) : usual);
  const inside = (from: number, to: number) => {
    const size = to - from;
    return size < 2 ? usual : (sum(from, to, from, to) - size) / (size * (size - 1));
  };
  const contrast = (at: number) => {
    const [from, to] = [Math.max(0, at - 3), Math.min(turns, at + 3)];
    const across = sum(from, at, at, to) / ((at - from) * (to - at));
    return (inside(from, at) + inside(at, to)) / 2 - across;
  };
  const likeness = { turns, vectors: centred, words: wordLikeness(words), weight };
  const dip2 = depths(topic2);
  return {
    alike1: zScores(alike1 ?? []),
    alike2: zScores(alike2 ?? []),
    alike1Causal: causalZScores(alike1 ?? []),
    dip1: zScores(depths(alike1 ?? [])),
    dip2: zScores(depths(alike2 ?? [])),
    dip3: zScores(depths(alike3 ?? [])),
    lowest2: lowest(alike2 ?? []),
    topicAlike: topic2,
    topicDip: dip2,
    topicDipZ: zScores(dip2),
    topicBest: gaps.map((at) =>
      best(at, (a, b) => centred(a, b) / Math.sqrt(Math.max(0.05, centred(a, a) * centred(b, b)))),
    ),
    bestBack: gaps.map((at) => relative(best(at, cosine))),
    contrast: zScores(gaps.map(contrast)),
    bridge: zScores(gaps.map((at) => cosine(at - 1, Math.min(turns - 1, at + 1)))),
    turnsAway: zScores(gaps.map((at) => onward(at) - cosine(at - 1, at))),
    fewChanges: changePoints(likeness, CHANGES.fewChanges),
    changes: changePoints(likeness, CHANGES.changes),
    manyChanges: changePoints(likeness, CHANGES.manyChanges),
  };
}

/** The dot products of vectors minus their weighted mean, computed from the products of the vectors. */
function centre(cosine: (a: number, b: number) => number, weights: readonly number[]) {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const means = weights.map(
    (_, a) => weights.reduce((sum, weight, b) => sum + weight * cosine(a, b), 0) / whole,
  );
  const mean = means.reduce((sum, value, a) => sum + value * (weights[a] ?? 0), 0) / whole;
  return (a: number, b: number) => cosine(a, b) - (means[a] ?? 0) - (means[b] ?? 0) + mean;
}

/** The cosine between the mean of the `side` turns before a gap and of those after it. */
function sidesBy(sum: ReturnType<typeof blockSums>, turns: number) {
  return (at: number, side: number): number => {
    const [from, to] = [Math.max(0, at - side), Math.min(turns, at + side)];
    const lengths = sum(from, at, from, at) * sum(at, to, at, to);
    return sum(from, at, at, to) / Math.sqrt(Math.max(lengths, 1e-9));
  };
}

/** 1 for values with no lower neighbour, else 0. */
const lowest = (values: readonly number[]): PerGap =>
  values.map((value, index) =>
    value <= (values[index - 1] ?? 1) && value <= (values[index + 1] ?? 1) ? 1 : 0,
  );
