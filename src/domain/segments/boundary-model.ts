import { announcesTopic } from '../../language/en/topic-announced.ts';
import { MINUTE } from '../../shared/duration.ts';
import { logitOf, sigmoid } from '../core/logistic.ts';
import { type BoundaryFeatures, boundaryFeatures } from './boundary-features.ts';
import { BOUNDARY_WEIGHTS } from './boundary-weights.ts';
import { areExchanges, exchangeFeatures, type TimedTurn } from './exchange-boundaries.ts';
import { EXCHANGE_WEIGHTS } from './exchange-weights.ts';

/**
 * A fitted feature: its mean and deviation in the training data, and the weights of its z-score, of the z-score times the
 * share of task talk, times the share of chat, and of its square.
 */
export type FeatureWeights = readonly [
  mean: number,
  deviation: number,
  plain: number,
  task: number,
  chat: number,
  square: number,
];

/** A fitted model of boundaries. */
export type BoundaryWeights = {
  intercept: number;
  /** The log odds from which a gap is cut. */
  threshold: number;
  /** The penalty for a topic of a single turn, in log odds. */
  single: number;
  /** The mean and deviation of the shares of task talk and of chat. */
  kind: { task: readonly [number, number]; chat: readonly [number, number] };
  features: Readonly<Record<string, FeatureWeights>>;
};

/** Where a topic begins: the index of its first turn, never 0. Confidence from 0.5 (just above the threshold) to 1. */
export type TopicStart = { index: number; confidence: number };

const within = (limit: number, value: number) => Math.max(-limit, Math.min(limit, value));

/** Limits z-scores before squaring, because rare extremes would dominate. */
const FARTHEST = 3;
/** Limits the shares of a kind of talk to the range of the training data. */
const OUTERMOST = 1.5;
/**
 * Interactions with the kind of talk, and squares, are scaled down, so that the penalty of the fit affects them more. This is
 * as good on the training data and much better on held-out data.
 */
const CAUTION = { kind: 0.5, square: 0.7 } as const;

/** The regression terms of a standardised feature, given the z-scores of the shares of task talk and chat. */
export const expand = (z: number, task: number, chat: number) =>
  [
    z,
    z * within(OUTERMOST, task) * CAUTION.kind,
    z * within(OUTERMOST, chat) * CAUTION.kind,
    (within(FARTHEST, z) ** 2 - 1) * CAUTION.square,
  ] as const;

/** The log odds of a boundary at every gap. */
export function boundaryLogits(
  { gaps, values, kind }: BoundaryFeatures,
  { intercept, kind: scale, features }: BoundaryWeights,
): number[] {
  const task = (kind.task - scale.task[0]) / scale.task[1];
  const chat = (kind.chat - scale.chat[0]) / scale.chat[1];
  const logits = Array.from({ length: gaps }, () => intercept);
  for (const [name, [mean, deviation, ...weights]] of Object.entries(features)) {
    for (const [gap, value] of (values.get(name) ?? []).entries()) {
      const parts = expand((value - mean) / deviation, task, chat);
      for (const [at, part] of parts.entries()) {
        logits[gap] = (logits[gap] ?? 0) + part * (weights[at] ?? 0);
      }
    }
  }
  return logits;
}

/** Added to the log odds if a turn says explicitly that it opens another topic. */
const ANNOUNCED = 4;

type Path = { total: number; cuts: readonly number[] };

const better = (a: Path, b: Path): Path => (b.total > a.total ? b : a);

/**
 * The best set of cuts. Each cut adds its log odds above the threshold; each topic of a single turn costs `single`, or half
 * of it at the beginning and the end, where the turns beyond are unknown.
 */
export function cutAt(
  logits: readonly number[],
  { threshold, single }: Pick<BoundaryWeights, 'threshold' | 'single'>,
): TopicStart[] {
  const gainAt = (at: number) => (logits[at - 1] ?? 0) - threshold;
  // The best cuts so far if the open topic has one turn, and if it has more.
  let fresh: Path = { total: 0, cuts: [] };
  let longer: Path = { total: Number.NEGATIVE_INFINITY, cuts: [] };
  for (let at = 1; at <= logits.length; at++) {
    const closed = { ...fresh, total: fresh.total - (at === 1 ? single / 2 : single) };
    const before = better(longer, closed);
    longer = better(longer, fresh);
    fresh = { total: before.total + gainAt(at), cuts: [...before.cuts, at] };
  }
  const { cuts } = better(longer, { ...fresh, total: fresh.total - single / 2 });
  return cuts.map((index) => ({ index, confidence: Math.max(0.5, sigmoid(gainAt(index))) }));
}

/**
 * The log odds above the threshold by the general model, and the features it used.
 * @param vectors unit vectors, one for each turn; null = words only
 */
export function talkLogits(texts: readonly string[], vectors: readonly Float32Array[] | null) {
  const weights: BoundaryWeights = vectors
    ? BOUNDARY_WEIGHTS.withVectors
    : BOUNDARY_WEIGHTS.wordsOnly;
  const features = boundaryFeatures(texts, vectors);
  const logits = boundaryLogits(features, weights).map((odds) => odds - weights.threshold);
  return { features, logits, single: weights.single };
}

/** With fewer turns than this, the features are unreliable. */
const FEW = 5;
const DOUBT = 1.5;

/** Subtracted from the log odds of a gap in a short window that neither a phrase nor a pause marks. */
function doubtOf(turns: readonly TimedTurn[], gap: number): number {
  const [before, turn] = [turns[gap], turns[gap + 1]];
  if (!before || !turn || announcesTopic(turn.text)) return 0;
  return turn.occurredAt.getTime() - before.occurredAt.getTime() > MINUTE ? 0 : DOUBT;
}

/** Finds where topics begin in a window of turns (requirements 4.5). @param vectors unit vectors; null = words only */
export function findTopicStarts(
  turns: readonly TimedTurn[],
  vectors: readonly Float32Array[] | null,
): TopicStart[] {
  const texts = turns.map(({ text }) => text);
  const { features, logits, single } = talkLogits(texts, vectors);
  if (areExchanges(turns)) {
    const { model, threshold } = EXCHANGE_WEIGHTS[vectors ? 'withVectors' : 'wordsOnly'];
    const allOdds = exchangeFeatures(turns, features, logits).map((row) => logitOf(model, row));
    const cautious =
      turns.length < FEW ? allOdds.map((odds, gap) => odds - doubtOf(turns, gap)) : allOdds;
    return cutAt(cautious, { threshold, single });
  }
  const announced = logits.map((odds, gap) =>
    announcesTopic(texts[gap + 1] ?? '') ? odds + ANNOUNCED : odds,
  );
  return cutAt(announced, { threshold: 0, single });
}
