import type { GeneratedBy } from '../core/reasoning.ts';
import { recencyScore } from './linking-parts.ts';
import type { LinkingSignal } from './linking-signal.ts';

/** The parts of the algorithmic score (requirements 11.3). */
export const LINKING_PARTS = [
  'keyword',
  'entity',
  'topic',
  'recency',
] as const satisfies readonly LinkingSignal[];
export type LinkingPart = (typeof LINKING_PARTS)[number];
/** Each 0-1; null where it cannot be computed. */
export type LinkingParts = Record<LinkingPart, number | null>;
/** How much each part counts; they sum to 1. */
export type LinkingWeights = Record<LinkingPart, number>;

/** The settings that decide about links. */
export type LinkingSetting = {
  /** The algorithm says that two threads belong together if their score is above this. */
  threshold: number;
  weights: LinkingWeights;
  /** Signals that the reasoner is asked to look for. */
  hints: readonly LinkingSignal[];
};

/** The neutral setting. */
export const NEUTRAL_THRESHOLD = 0.7;
export const NEUTRAL_WEIGHTS: LinkingWeights = {
  keyword: 0.3,
  entity: 0.3,
  topic: 0.2,
  recency: 0.2,
};

/** The first turns of a thread that are compared with earlier threads while it goes on. */
export const OPENING = 6;
/** How many of its first turns are compared when it is over, and how many of the last turns of an earlier thread. */
export const WHOLE = 24;

/** How many turns of a thread are compared. A model is asked about the opening only. */
export const comparedTurns = (generatedBy: GeneratedBy): number =>
  generatedBy === 'MODEL' ? OPENING : WHOLE;
/** How many of the candidates the reasoner assesses. */
export const BEST = 3;
/** How many candidates are found by words and by semantic similarity, at any age. */
export const NEAREST = 20;

/** A thread that may belong together with another: BM25 and cosine 0-1. */
type Candidate = { threadId: number; bm25: number; cosine: number; lastActivityAt: Date };

/**
 * The most relevant candidates by words (for keywords and entities), similarity and recency, with the weights of the score.
 * @param startedAt when the new thread began
 */
export function bestCandidates<T extends Candidate>(
  candidates: readonly T[],
  weights: LinkingWeights,
  startedAt: Date,
  windowHours: number,
  most: number,
): T[] {
  const relevance = ({ bm25, cosine, lastActivityAt }: Candidate) =>
    (weights.keyword + weights.entity) * bm25 +
    weights.topic * cosine +
    weights.recency * recencyScore(lastActivityAt, startedAt, windowHours);
  return candidates
    .map((candidate) => ({ candidate, score: relevance(candidate) }))
    .sort((a, b) => b.score - a.score || b.candidate.threadId - a.candidate.threadId)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The weighted mean of the parts that can be computed, 0-1, and the parts that were left out. */
export function algorithmicScore(
  parts: LinkingParts,
  weights: LinkingWeights,
): { score: number; leftOut: LinkingPart[] } {
  let sum = 0;
  let whole = 0;
  for (const name of LINKING_PARTS) {
    const part = parts[name];
    if (part === null) continue;
    sum += weights[name] * part;
    whole += weights[name];
  }
  const leftOut = LINKING_PARTS.filter((name) => parts[name] === null);
  return { score: whole > 0 ? sum / whole : 0, leftOut };
}

/** An assessment and its confidence, 0-1; at 0 the opposite is as likely. */
export type Assessment = { related: boolean; confidence: number };

/** Distance of a score from the threshold, scaled to 0-1 on either side (requirements 11.5). */
export function algorithmicAssessment(score: number, threshold: number): Assessment {
  const related = score > threshold;
  const confidence = related
    ? (score - threshold) / (1 - threshold)
    : (threshold - score) / threshold;
  return { related, confidence };
}

/** Scales a reasoner's confidence, which is undecided at 0.5, to 0-1. */
const surenessOf = ({ related, confidence }: Assessment): Assessment => ({
  related,
  confidence: Math.max(0, 2 * confidence - 1),
});

/** Half-way between undecided and certain. */
const SURE = 0.75;

/**
 * Whether a reasoner's assessment of a pair by fewer turns still applies: it was sure, and the algorithm, which compares all
 * turns, agrees. Then it is not asked again, because models charge per request.
 */
export const holdsStill = (earlier: Assessment, algorithm: Assessment): boolean =>
  earlier.confidence >= SURE && earlier.related === algorithm.related;

export type LinkVerdict = 'LINK' | 'DONT_LINK';
export type LinkDecision = {
  verdict: LinkVerdict;
  /** UNCERTAIN: the two assessments differ, and the more confident one decided. */
  certainty: 'HIGH' | 'UNCERTAIN';
  /** Both assessments as one number, 0-1: LINK above 0.5. */
  fused: number;
};

const signed = ({ related, confidence }: Assessment): number =>
  related ? confidence : -confidence;

/**
 * The decision table (requirements 11.6). The mean of both signed confidences has the sign of both where they agree, and of
 * the more confident one where they differ.
 * @param reasoner with its own confidence: 0.5 = undecided
 */
export function decideLink(algorithm: Assessment, reasoner: Assessment): LinkDecision {
  const both = (signed(algorithm) + signed(surenessOf(reasoner))) / 2;
  const agree = algorithm.related === reasoner.related;
  const related = agree ? algorithm.related : both > 0;
  return {
    verdict: related ? 'LINK' : 'DONT_LINK',
    certainty: agree ? 'HIGH' : 'UNCERTAIN',
    fused: (1 + both) / 2,
  };
}

/** The connected components of pairs of threads, each in ascending order, ordered by their first thread. */
export function componentsOf(pairs: readonly (readonly [number, number])[]): number[][] {
  const groupOf = new Map<number, Set<number>>();
  const groupFor = (thread: number): Set<number> => {
    const group = groupOf.get(thread) ?? new Set([thread]);
    groupOf.set(thread, group);
    return group;
  };
  for (const [one, other] of pairs) {
    const [a, b] = [groupFor(one), groupFor(other)];
    if (a === b) continue;
    // The smaller group moves: the pairs of a large component would otherwise take quadratic time.
    const [smaller, larger] = a.size < b.size ? [a, b] : [b, a];
    for (const thread of smaller) groupOf.set(thread, larger.add(thread));
  }
  const ascending = (a: number, b: number) => a - b;
  return [...new Set(groupOf.values())]
    .map((group) => [...group].sort(ascending))
    .sort(([a = 0], [b = 0]) => a - b);
}
