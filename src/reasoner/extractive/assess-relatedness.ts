import { sigmoid } from '../../domain/core/logistic.ts';
import type { LinkingSignal } from '../../domain/links/linking-signal.ts';
import { isCourtesy } from '../../language/en/turn-cues.ts';
import { HOUR } from '../../shared/duration.ts';
import { isSpoken } from '../../shared/role.ts';
import type { StepArguments, StepOutput, Utterance } from '../reasoner.ts';
import { listed } from './quotes/patterns.ts';
import {
  commonGround,
  RELATEDNESS_FEATURES,
  type RelatednessFeatures,
  relatednessFeatures,
} from './relatedness/relatedness-features.ts';
import { RELATEDNESS_WEIGHTS } from './relatedness/relatedness-weights.ts';
import { plainText } from './text/clean-text.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';

/** The half-life, in hours, of the chance that "and on Thursday?" continues a thread. */
const FADES = 12;
/** How much more a signal counts at full strength, in logits, if tuning gives a hint for it. */
const HINT = 0.8;
/** From this strength on a signal is named in the result. */
const NAMED = 0.5;

type Input = StepArguments<'assess-relatedness'>;

/** Assesses for each earlier thread whether a message belongs to it. Cues of a continuation count for the latest thread only. */
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
 * Assesses whether a message belongs to an earlier thread, by a logistic regression over vectors, words, names and
 * openers. `confidence` is that of the verdict (related or not), 0.5-1.
 */
async function assess(
  turns: readonly Utterance[],
  { message, hints, isLatest }: Pick<Input, 'message' | 'hints'> & { isLatest: boolean },
  similarity: SemanticSimilarity | null,
): Promise<StepOutput<'assess-relatedness'>['assessments'][number]> {
  const earlier = textsOf(turns);
  const later = textsOf(message);
  const vectors = await similarity?.vectorsOf([...earlier, ...later]);
  const features = relatednessFeatures(
    { texts: earlier, vectors: vectors?.slice(0, earlier.length) ?? null },
    { texts: later, vectors: vectors?.slice(earlier.length) ?? null },
    similarity,
  );
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

/** The probability that two groups of turns are about the same thing, 0-1. @param more logits to add */
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

/** What was said, without what only agrees or thanks, unless there is nothing else: two talks are not alike for it. */
const textsOf = (turns: readonly Utterance[]): string[] => {
  const spoken = turns.filter(isSpoken);
  const informative = spoken.filter(({ text }) => !isCourtesy(text));
  const read = [informative, spoken, turns].find(({ length }) => length > 0) ?? [];
  return read.map(({ text }) => plainText(text) || text);
};

const endOf = (turns: readonly Utterance[]): number => turns.at(-1)?.occurredAt.getTime() ?? 0;

/** How close in time two turns are: 1 without a gap, halved every twelve hours. */
function closenessOf(last: Utterance | undefined, first: Utterance | undefined): number {
  if (last === undefined || first === undefined) return 0;
  const hours = Math.abs(first.occurredAt.getTime() - last.occurredAt.getTime()) / HOUR;
  return 0.5 ** (hours / FADES);
}

/** The strength of each signal for a link, 0-1. */
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
