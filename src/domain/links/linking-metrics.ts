import {
  algorithmicScore,
  LINKING_PARTS,
  type LinkingPart,
  type LinkingParts,
  type LinkingSetting,
  type LinkingWeights,
} from './linking.ts';
import type { LinkingSignal } from './linking-signal.ts';

/** A decision that is known to be right or wrong. */
export type RatedDecision = {
  userId: string;
  parts: LinkingParts;
  reasonerRelated: boolean;
  reasonerConfidence: number;
  /** Names of the closed list are used, others are not. */
  keySignals: readonly string[];
  /** Whether the two threads belong together. */
  belongs: boolean;
};

/** Shares, 0-1; the share of nothing is 0. */
export type LinkingMetrics = {
  accuracy: number;
  precision: number;
  recall: number;
  f1: number;
  falsePositiveRate: number;
  falseNegativeRate: number;
};

/** How the algorithm alone would decide at a threshold. */
export type ThresholdRates = {
  threshold: number;
  falsePositiveRate: number;
  falseNegativeRate: number;
};

/** Who was right where the two assessments differed. */
export type Disagreements = { count: number; algorithmRight: number; reasonerRight: number };

/** The thresholds that are reported (requirements 11.12). */
const REPORTED = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85];
/** The value from which a signal counts as strong. */
const STRONG = 0.7;
/** How often the reasoner must miss a signal, and how much more often than when it is right, to be asked to look for it. */
const LEAST_MISSES = 3;
const MORE_OFTEN = 0.2;

/** How often verdicts are right. */
export function metricsOf(
  judged: readonly { linked: boolean; belongs: boolean }[],
): LinkingMetrics {
  const count = (linked: boolean, belongs: boolean) =>
    judged.filter((one) => one.linked === linked && one.belongs === belongs).length;
  const [hits, falseAlarms] = [count(true, true), count(true, false)];
  const [misses, rejections] = [count(false, true), count(false, false)];
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  return {
    accuracy: share(hits + rejections, judged.length),
    precision: share(hits, hits + falseAlarms),
    recall: share(hits, hits + misses),
    f1: share(2 * hits, 2 * hits + falseAlarms + misses),
    falsePositiveRate: share(falseAlarms, falseAlarms + rejections),
    falseNegativeRate: share(misses, hits + misses),
  };
}

/** Who was right where algorithm and reasoner differed (requirements 11.12). */
export function disagreementsOf(
  decisions: readonly RatedDecision[],
  { threshold, weights }: LinkingSetting,
): Disagreements {
  let [count, algorithmRight] = [0, 0];
  for (const { parts, reasonerRelated, belongs } of decisions) {
    const related = algorithmicScore(parts, weights).score > threshold;
    if (related === reasonerRelated) continue;
    count += 1;
    if (related === belongs) algorithmRight += 1;
  }
  return { count, algorithmRight, reasonerRight: count - algorithmRight };
}

/** False positives and negatives of the algorithm by threshold (step 2). */
export function ratesByThreshold(
  decisions: readonly RatedDecision[],
  weights: LinkingWeights,
): ThresholdRates[] {
  const scored = decisions.map(({ parts, belongs }) => ({
    score: algorithmicScore(parts, weights).score,
    belongs,
  }));
  return REPORTED.map((threshold) => {
    const judged = scored.map(({ score, belongs }) => ({ linked: score > threshold, belongs }));
    const { falsePositiveRate, falseNegativeRate } = metricsOf(judged);
    return { threshold, falsePositiveRate, falseNegativeRate };
  });
}

/**
 * What the reasoner should look at (step 3): signals that were strong, and that it did not name, where threads belonged
 * together and it said that they do not; more often than where it was right to say so.
 */
export function missedSignals(decisions: readonly RatedDecision[]): LinkingSignal[] {
  const refused = decisions.filter(({ reasonerRelated }) => !reasonerRelated);
  const misses = refused.filter(({ belongs }) => belongs);
  const rejections = refused.filter(({ belongs }) => !belongs);
  const strong = (among: readonly RatedDecision[], signal: LinkingPart) =>
    among.filter(
      ({ parts, keySignals }) => (parts[signal] ?? 0) >= STRONG && !keySignals.includes(signal),
    ).length;
  return LINKING_PARTS.filter((signal) => {
    const missed = strong(misses, signal);
    const share = missed / Math.max(1, misses.length);
    const usual = strong(rejections, signal) / Math.max(1, rejections.length);
    return missed >= LEAST_MISSES && share >= usual + MORE_OFTEN;
  });
}
