import { announcesTopic } from '../../language/en/topic-announced.ts';
import { logitOf, sigmoid } from '../core/logistic.ts';
import { type BoundaryFeatures, boundaryFeatures } from './boundary-features.ts';
import { BOUNDARY_WEIGHTS } from './boundary-weights.ts';
import { areExchanges, exchangeFeatures, type ToldTurn } from './exchange-boundaries.ts';
import { EXCHANGE_WEIGHTS } from './exchange-weights.ts';

/**
 * What a feature counts: its mean and deviation where it was fitted; the weights of its z-score, of that times
 * the share of task talk, of that times the share of chat, and of its square.
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
  /** Log odds from which on a gap is cut. */
  threshold: number;
  /** What a topic of a single turn costs, in log odds. */
  single: number;
  /** Mean and deviation of the shares of task talk and chat. */
  kind: { task: readonly [number, number]; chat: readonly [number, number] };
  features: Readonly<Record<string, FeatureWeights>>;
};

/** Where a topic begins: the turn's place, never 0. Confidence 0.5 (just over the threshold) to 1. */
export type TopicStart = { index: number; confidence: number };

const within = (limit: number, value: number) => Math.max(-limit, Math.min(limit, value));

/** Squares of rare extremes would drown the rest. */
const FARTHEST = 3;
/** Talk of a kind that no fitted set showed is taken for the outermost one that was. */
const OUTERMOST = 1.5;
/**
 * What turns with the kind of talk, and squares, enter smaller than what always holds, so that the penalty
 * of the fit presses them harder: as good where it was fitted, much better on a set left out.
 */
const CAUTION = { kind: 0.5, square: 0.7 } as const;

/** What a standardised feature `z` brings into the regression, for shares of the kinds of talk, both z-scores. */
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

/** What it adds, in log odds, that a turn says of itself that it opens another topic: people mean it. */
const ANNOUNCED = 4;

type Path = { total: number; cuts: readonly number[] };

const better = (a: Path, b: Path): Path => (b.total > a.total ? b : a);

/**
 * The cuts that win most: every cut brings its log odds over the threshold, every topic of a single turn
 * costs `single`; the first and the last half of it, since what lies beyond them is unknown.
 */
export function cutAt(
  logits: readonly number[],
  { threshold, single }: Pick<BoundaryWeights, 'threshold' | 'single'>,
): TopicStart[] {
  const won = (at: number) => (logits[at - 1] ?? 0) - threshold;
  // The best cuts up to here if the open topic has one turn so far, and if it has more.
  let fresh: Path = { total: 0, cuts: [] };
  let longer: Path = { total: Number.NEGATIVE_INFINITY, cuts: [] };
  for (let at = 1; at <= logits.length; at++) {
    const closed = { ...fresh, total: fresh.total - (at === 1 ? single / 2 : single) };
    const before = better(longer, closed);
    longer = better(longer, fresh);
    fresh = { total: before.total + won(at), cuts: [...before.cuts, at] };
  }
  const { cuts } = better(longer, { ...fresh, total: fresh.total - single / 2 });
  return cuts.map((index) => ({ index, confidence: Math.max(0.5, sigmoid(won(index))) }));
}

/**
 * The log odds over the threshold by the model of any talk, and what it read; by vectors of length 1, or null = by the
 * words alone.
 */
export function talkLogits(texts: readonly string[], vectors: readonly Float32Array[] | null) {
  const weights: BoundaryWeights = vectors
    ? BOUNDARY_WEIGHTS.withVectors
    : BOUNDARY_WEIGHTS.wordsOnly;
  const features = boundaryFeatures(texts, vectors);
  const logits = boundaryLogits(features, weights).map((own) => own - weights.threshold);
  return { features, logits, single: weights.single };
}

/** In so few turns measures tell little. */
const FEW = 5;
const DOUBT = 1.5;

/** What a gap of a short talk loses, in log odds, that neither a word nor a pause marks. */
function doubtOf(turns: readonly ToldTurn[], gap: number): number {
  const [before, turn] = [turns[gap], turns[gap + 1]];
  if (!before || !turn || announcesTopic(turn.text)) return 0;
  return turn.occurredAt.getTime() - before.occurredAt.getTime() > 60_000 ? 0 : DOUBT;
}

/** Where topics begin in a window of turns (requirements 4.5). `vectors` of length 1; null = by the words alone. */
export function findTopicStarts(
  turns: readonly ToldTurn[],
  vectors: readonly Float32Array[] | null,
): TopicStart[] {
  const texts = turns.map(({ text }) => text);
  const { features, logits, single } = talkLogits(texts, vectors);
  if (areExchanges(turns)) {
    const { model, threshold } = EXCHANGE_WEIGHTS[vectors ? 'withVectors' : 'wordsOnly'];
    const own = exchangeFeatures(turns, features, logits).map((row) => logitOf(model, row));
    const sure = turns.length < FEW ? own.map((odds, gap) => odds - doubtOf(turns, gap)) : own;
    return cutAt(sure, { threshold, single });
  }
  const announced = logits.map((own, gap) =>
    announcesTopic(texts[gap + 1] ?? '') ? own + ANNOUNCED : own,
  );
  return cutAt(announced, { threshold: 0, single });
}
