import {
  algorithmicAssessment,
  algorithmicScore,
  decideLink,
  LINKING_PARTS,
  type LinkingSetting,
  type LinkingWeights,
  type LinkVerdict,
  NEUTRAL_THRESHOLD,
  NEUTRAL_WEIGHTS,
} from './linking.ts';
import {
  type Disagreements,
  disagreementsOf,
  type LinkingMetrics,
  metricsOf,
  missedSignals,
  type RatedDecision,
  ratesByThreshold,
  type ThresholdRates,
} from './linking-metrics.ts';
import { LINKING_SIGNALS, type LinkingSignal } from './linking-signal.ts';

/** The setting that tuning chose, and why, or why the old one stays. */
export type Tuning = {
  kept: boolean;
  next: LinkingSetting;
  /** Over all decisions. */
  before: LinkingMetrics;
  /** Over those held out: each is judged by a setting that was chosen without it. If the old setting stays, as `before`. */
  after: LinkingMetrics;
  thresholds: ThresholdRates[];
  disagreements: Disagreements;
  reason: string;
};

/** Fewer rated decisions than this are not enough to tune by. */
const LEAST_DECISIONS = 20;
/** A user with a smaller share of the decisions cannot decide alone. */
const SMALL_SHARE = 0.05;
const FOLDS = 5;
/** Thresholds that are tried. */
const THRESHOLDS = Array.from({ length: 46 }, (_, step) => (50 + step) / 100);
/** The factor by which a weight is raised or lowered. */
const FACTORS = [0.67, 1.5];

function verdictBy(
  { parts, reasonerRelated, reasonerConfidence }: RatedDecision,
  { threshold, weights }: Pick<LinkingSetting, 'threshold' | 'weights'>,
): LinkVerdict {
  const { score } = algorithmicScore(parts, weights);
  const reasoner = { related: reasonerRelated, confidence: reasonerConfidence };
  return decideLink(algorithmicAssessment(score, threshold), reasoner).verdict;
}

const judge = (decisions: readonly RatedDecision[], setting: LinkingSetting) =>
  decisions.map((decision) => ({
    linked: verdictBy(decision, setting) === 'LINK',
    belongs: decision.belongs,
  }));

/** How often decisions would have been right under a setting. */
export const metricsUnder = (
  decisions: readonly RatedDecision[],
  setting: LinkingSetting,
): LinkingMetrics => metricsOf(judge(decisions, setting));

/** The weights in force, the neutral ones, and those with one part raised or lowered: only a few, to avoid overfitting. */
function weightsNear(weights: LinkingWeights): LinkingWeights[] {
  const moved = LINKING_PARTS.flatMap((part) =>
    FACTORS.map((factor) => normalised({ ...weights, [part]: weights[part] * factor })),
  );
  return [weights, NEUTRAL_WEIGHTS, ...moved];
}

function normalised(weights: LinkingWeights): LinkingWeights {
  const whole = LINKING_PARTS.reduce((sum, part) => sum + weights[part], 0);
  const entries = LINKING_PARTS.map((part) => [
    part,
    Math.round((weights[part] / whole) * 1e3) / 1e3,
  ]);
  return Object.fromEntries(entries);
}

/** What is tuned, one after the other, so that a better threshold is not lost among worse weights. */
type Choice = (decisions: readonly RatedDecision[], current: LinkingSetting) => LinkingSetting;

/** Chooses the neutral setting, which is not fitted to anything. */
const chooseNeutral: Choice = (_decisions, current) => ({
  ...current,
  threshold: NEUTRAL_THRESHOLD,
  weights: NEUTRAL_WEIGHTS,
});

/** The threshold with the highest F1, smoothed over its neighbours so that none wins by chance; of equal ones the middle one. */
const chooseThreshold: Choice = (decisions, current) => {
  const f1s = THRESHOLDS.map((threshold) => metricsUnder(decisions, { ...current, threshold })).map(
    ({ f1 }) => f1,
  );
  const smooth = f1s.map((_, at) => meanOf(f1s.slice(Math.max(0, at - 3), at + 4)));
  const top = Math.max(...smooth) - 1e-9;
  const tops = smooth.flatMap((f1, at) => (f1 > top ? [at] : []));
  return { ...current, threshold: THRESHOLDS[tops[tops.length >> 1] ?? 0] ?? current.threshold };
};

/** The weights with the highest F1; of equal ones those in force. */
const chooseWeights: Choice = (decisions, current) => {
  const tried = weightsNear(current.weights).map((weights) => {
    const setting = { ...current, weights };
    return { setting, f1: metricsUnder(decisions, setting).f1 };
  });
  const top = Math.max(...tried.map(({ f1 }) => f1));
  return tried.find(({ f1 }) => f1 >= top)?.setting ?? current;
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Tunes a setting by rated decisions (requirements 11.12): a new threshold and weights are kept only if such a choice does better
 * on decisions that it was not made on (k-fold), and hints only if signals were missed. If several users share the setting,
 * both must also hold without the decisions of any one user, who could otherwise rate everything wrong and change it for all.
 * @param decisions in the order in which they were rated
 */
export function tuneLinking(
  decisions: readonly RatedDecision[],
  current: LinkingSetting,
  isShared = false,
): Tuning {
  const rests = isShared ? withoutOneUser(decisions) : [];
  const holds = (next: LinkingSetting) =>
    rests.every(
      (rest) =>
        rest.length >= LEAST_DECISIONS &&
        metricsUnder(rest, next).f1 > metricsUnder(rest, current).f1,
    );
  const before = metricsUnder(decisions, current);
  let [found, after] = [current, before];
  if (decisions.length >= LEAST_DECISIONS) {
    for (const choose of [chooseNeutral, chooseThreshold, chooseWeights]) {
      const heldOut = metricsOf(acrossFolds(decisions, found, choose));
      if (heldOut.f1 <= after.f1) continue;
      [found, after] = [choose(decisions, found), heldOut];
    }
  }
  const isOfOne = found !== current && !holds(found);
  if (isOfOne) [found, after] = [current, before];
  const isBetter = found !== current;
  const missed = [decisions, ...rests].map(missedSignals);
  const isMissed = (signal: LinkingSignal) => missed.every((signals) => signals.includes(signal));
  const hints = LINKING_SIGNALS.filter(
    (signal) => current.hints.includes(signal) || isMissed(signal),
  );
  const next = { ...found, hints };
  return {
    kept: isBetter || next.hints.length > current.hints.length,
    next,
    before,
    after,
    thresholds: ratesByThreshold(decisions, current.weights),
    disagreements: disagreementsOf(decisions, current),
    reason: isOfOne ? OF_ONE : reasonFor(decisions.length, { isBetter, before, after }),
  };
}

const OF_ONE = 'Nothing that was tried does better without the decisions of one user.';

/** The decisions without those of one user, for each user who may decide alone. */
function withoutOneUser(decisions: readonly RatedDecision[]): RatedDecision[][] {
  const counts = new Map<string, number>();
  for (const { userId } of decisions) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= SMALL_SHARE * decisions.length)
    .map(([one]) => decisions.filter(({ userId }) => userId !== one));
}

/** Every decision, judged by a setting that was chosen on the other folds. */
function acrossFolds(decisions: readonly RatedDecision[], current: LinkingSetting, choose: Choice) {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const heldOut = decisions.filter((_decision, at) => at % FOLDS === fold);
    const rest = decisions.filter((_decision, at) => at % FOLDS !== fold);
    return judge(heldOut, choose(rest, current));
  }).flat();
}

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;

function reasonFor(
  decisions: number,
  { isBetter, before, after }: { isBetter: boolean; before: LinkingMetrics; after: LinkingMetrics },
): string {
  if (decisions < LEAST_DECISIONS) {
    return `Only ${decisions} decisions are rated; ${LEAST_DECISIONS} are needed.`;
  }
  if (!isBetter)
    return `Nothing that was tried does better on held-out decisions than F1 ${before.f1.toFixed(3)}.`;
  const f1 = `F1 ${before.f1.toFixed(3)} → ${after.f1.toFixed(3)} on held-out decisions`;
  const positive = `false positives ${percent(before.falsePositiveRate)} → ${percent(after.falsePositiveRate)}`;
  const negative = `false negatives ${percent(before.falseNegativeRate)} → ${percent(after.falseNegativeRate)}`;
  return `${f1}; ${positive}, ${negative}.`;
}
