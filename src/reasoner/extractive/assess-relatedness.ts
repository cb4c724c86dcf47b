import type { z } from 'zod';
import { sigmoid } from '../../domain/core/logistic.ts';
import type { LinkingSignal } from '../../domain/links/linking-signal.ts';
import type { StepOutput, assessRelatedness as shapes, Utterance } from '../reasoner.ts';
import { listed } from './quotes/patterns.ts';
import {
  commonGround,
  RELATEDNESS_FEATURES,
  type RelatednessFeatures,
  relatednessFeatures,
  type Side,
} from './relatedness/relatedness-features.ts';
import { RELATEDNESS_WEIGHTS } from './relatedness/relatedness-weights.ts';
import { plainText } from './text/clean-text.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';

const HOUR = 3_600_000;
/** After so many hours "and on Thursday?" takes up this thread half as likely. */
const FADES = 12;
/** What a signal that tuning points at counts more, in logits, at full strength. */
const HINT = 0.8;
/** How strong a signal must be to be named. */
const NAMED = 0.5;

type Input = z.output<(typeof shapes)['input']>;
type Assessment = StepOutput<'assess-relatedness'>['assessments'][number];

/** Whether a message belongs to earlier threads, each by itself; only the latest of them can be what it simply continues. */
export async function assessRelatedness(
  { threads, message, hints }: Input,
  similarity: SemanticSimilarity | null,
): Promise<StepOutput<'assess-relatedness'>> {
  const latest = Math.max(...threads.map(({ turns }) => endOf(turns)));
  const one = ({ turns }: Input['threads'][number]) =>
    assess(turns, { message, hints, isLatest: endOf(turns) === latest }, similarity);
  return { assessments: await Promise.all(threads.map(one)) };
}

/**
 * Whether a message belongs to an earlier thread, from vectors, words, names and openers by a
 * logistic regression. `confidence` is that of the verdict, from 0.5 on: related or not.
 */
async function assess(
  turns: readonly Utterance[],
  { message, hints, isLatest }: Pick<Input, 'message' | 'hints'> & { isLatest: boolean },
  similarity: SemanticSimilarity | null,
): Promise<Assessment> {
  const earlier = textsOf(turns);
  const later = textsOf(message);
  const [left, right] = await sidesOf(earlier, later, similarity);
  const features = relatednessFeatures(left, right, similarity);
  const closeness = closenessOf(turns.at(-1), message[0]);
  features.continuation = isLatest ? (features.continuation ?? 0) * closeness : 0;
  const strengths = strengthsOf(features, closeness);
  const hinted = hints.reduce(
    (sum, hint) => sum + HINT * ((strengths.get(hint as LinkingSignal) ?? NAMED) - NAMED),
    0,
  );
  const chance = relatednessOf(features, hinted);
  const related = chance > 0.5;
  const signals = [...strengths].filter(([, strength]) => strength >= NAMED).map(([name]) => name);
  return {
    related,
    confidence: related ? chance : 1 - chance,
    reasoning: reasonFor(related, signals, commonGround(earlier, later)),
    keySignals: related ? signals : [],
  };
}

/** The chance that two pieces of talk are about the same thing, 0-1. `more`: logits on top. */
function relatednessOf(features: RelatednessFeatures, more = 0): number {
  const weights =
    features.centroid === undefined
      ? RELATEDNESS_WEIGHTS.wordsOnly
      : RELATEDNESS_WEIGHTS.withVectors;
  const logit = RELATEDNESS_FEATURES.reduce(
    (sum, name) => sum + (weights[name] ?? 0) * (features[name] ?? 0),
    weights.intercept + more,
  );
  return sigmoid(logit);
}

const textsOf = (turns: readonly Utterance[]): string[] => {
  const spoken = turns.filter(({ role }) => role !== 'TOOL' && role !== 'SYSTEM');
  return (spoken.length > 0 ? spoken : turns).map(({ text }) => plainText(text) || text);
};

async function sidesOf(
  earlier: string[],
  later: string[],
  similarity: SemanticSimilarity | null,
): Promise<[Side, Side]> {
  const vectors = await similarity?.vectorsOf([...earlier, ...later]);
  return [
    { texts: earlier, vectors: vectors?.slice(0, earlier.length) ?? null },
    { texts: later, vectors: vectors?.slice(earlier.length) ?? null },
  ];
}

const endOf = (turns: readonly Utterance[]): number => turns.at(-1)?.occurredAt.getTime() ?? 0;

/** 1 right after one another, half after twelve hours. */
function closenessOf(last: Utterance | undefined, first: Utterance | undefined): number {
  if (last === undefined || first === undefined) return 0;
  const hours = Math.abs(first.occurredAt.getTime() - last.occurredAt.getTime()) / HOUR;
  return 0.5 ** (hours / FADES);
}

/** How much each signal speaks for a link, 0-1. */
function strengthsOf(features: RelatednessFeatures, closeness: number): Map<LinkingSignal, number> {
  const upTo = (value: number | undefined, full: number) =>
    Math.min(1, Math.max(0, (value ?? 0) / full));
  return new Map<LinkingSignal, number>([
    ['topic', upTo((features.centroid ?? 0) - 0.25, 0.5)],
    ['keyword', upTo(features.overlap, 0.12)],
    ['entity', upTo(features.entities, 1 / 3)],
    ['continuation', features.continuation ?? 0],
    ['recency', closeness],
  ]);
}

function reasonFor(
  related: boolean,
  signals: readonly LinkingSignal[],
  { words, names }: { words: string[]; names: string[] },
): string {
  const reasons = [
    signals.includes('topic') ? 'they are alike in meaning' : '',
    names.length > 0 ? `both name ${listed(names.slice(0, 3))}` : '',
    words.length > 0 ? `both speak of ${listed(words.slice(0, 4).map((word) => `"${word}"`))}` : '',
    signals.includes('continuation') ? 'the message sounds like a continuation' : '',
  ].filter(Boolean);
  if (related)
    return `Related: ${listed(reasons.length > 0 ? reasons : ['all in all they are alike'])}.`;
  const but = reasons.length > 0 ? `, although ${listed(reasons)}` : '';
  return `Not related: too little in common${but}.`;
}
