import { DAY } from '../../shared/duration.ts';
import type { MemoryKind } from '../core/memory-kind.ts';
import { fadesSince, KEY_MOMENT, retrievability } from '../episodes/forgetting.ts';
import type { MemoryCandidate } from './candidate.ts';
import { isWithin, type RankingQuery, type RankingWeights } from './ranking.ts';
import type { ScoredMemory } from './scored.ts';

/** The scale of the turns' scores, which is applied to other kinds too. */
export type Scale = {
  /** The best turn's BM25 as a share of the ideal. */
  words: number;
  /** The lowest similarity among the turns, and the difference to the highest. */
  lowest: number;
  spread: number;
};

/** Whether a message asks for earlier talk (requirements 12.8). */
export type Intent = 'RECALL' | 'ORDINARY';

/** The weights of facts and episodes that can be configured (requirements 12.9). */
export const RERANK_NAMES = ['similarity', 'importance', 'recency', 'pinned'] as const;
export type RerankName = (typeof RERANK_NAMES)[number];

export type MemoryWeights = {
  /** The weight of similarity, relative to 1 for words; null = the embedder's own. */
  similarity: number | null;
  kinds: Record<MemoryKind, Record<Intent, number>>;
  /** The boost of an episode or a fact from this moment; it halves every `recencyDays`. */
  recency: Record<Intent, number>;
  recencyDays: number;
  /** The boost of a fact of importance 1, and of a pinned one. */
  importance: number;
  pinned: number;
  /** The lowest factor by which retrievability reduces a score: of an episode, and of a turn. */
  floor: number;
  turnFloor: number;
};

/** Reasons: docs/ranking.md. */
export const MEMORY_WEIGHTS: MemoryWeights = {
  similarity: null,
  kinds: {
    TURN: { ORDINARY: 1, RECALL: 1 },
    EPISODE: { ORDINARY: 0.5, RECALL: 1 },
    FACT: { ORDINARY: 1, RECALL: 0.8 },
    SEMANTIC_MEMORY: { ORDINARY: 0.5, RECALL: 0.7 },
    SKILL: { ORDINARY: 0.8, RECALL: 0.7 },
  },
  recency: { ORDINARY: 0.1, RECALL: 0.3 },
  recencyDays: 14,
  importance: 0.1,
  pinned: 0.1,
  floor: 0.6,
  turnFloor: 0.95,
};

/** 1 at this moment, half of it `days` later. */
const freshness = (at: Date, now: Date, days: number): number =>
  2 ** (-Math.max(0, now.getTime() - at.getTime()) / DAY / days);

function recallable(
  { kind, stability, reviewedAt, at }: MemoryCandidate,
  now: Date,
): number | null {
  if (kind !== 'EPISODE' || stability === null) return null;
  return retrievability({ stability }, fadesSince(at, reviewedAt), now);
}

/** Ranks from 1 by a value, separately for each kind; ties are ordered by id. */
function placesBy(
  candidates: readonly MemoryCandidate[],
  value: (candidate: MemoryCandidate) => number | null,
): Map<MemoryCandidate, number> {
  const taken = new Map<MemoryKind, number>();
  const having = candidates.filter((candidate) => value(candidate) !== null);
  having.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0) || a.id - b.id || a.number - b.number);
  return new Map(
    having.map((candidate) => {
      const place = (taken.get(candidate.kind) ?? 0) + 1;
      taken.set(candidate.kind, place);
      return [candidate, place];
    }),
  );
}

/** The scale of the memories themselves, for a recall that searches no turns. */
export function ownScale(candidates: readonly MemoryCandidate[], neighbours: number): Scale {
  const shares = candidates.map(({ bm25, ideal }) => (ideal > 0 ? bm25 / ideal : 0));
  const near = candidates.flatMap(({ similarity }) => (similarity === null ? [] : similarity));
  const lowest = Math.min(...near, 1);
  const spread = Math.max(Math.max(...near, -1) - lowest, Number.EPSILON);
  return {
    words: Math.max(...shares, 0),
    lowest: lowest * neighbours,
    spread: spread * neighbours,
  };
}

/** The parts of a question that boosts depend on. */
type BoostQuestion = { intent: Intent; now: Date; range?: RankingQuery['range'] };

function partsOf(
  { kind, bm25, ideal, similarity, importance, at, pinned }: MemoryCandidate,
  scale: Scale,
  { intent, now, range = null }: BoostQuestion,
  ranking: RankingWeights,
  weights: MemoryWeights,
): ScoredMemory['parts'] {
  const around = ranking.neighbours.reduce((sum, weight) => sum + weight, 0);
  const share = similarity === null ? 0 : (similarity * around - scale.lowest) / scale.spread;
  const words = ideal > 0 ? bm25 / ideal / Math.max(scale.words, 0.1) : 0;
  const hasTime = kind === 'EPISODE' || kind === 'FACT';
  return {
    bm25: ranking.bm25 * words,
    vector: (weights.similarity ?? ranking.vector) * Math.max(0, share),
    recency: hasTime ? weights.recency[intent] * freshness(at, now, weights.recencyDays) : 0,
    range: range && isWithin(at, range) ? ranking.range : 0,
    importance: weights.importance * (importance ?? 0),
    pinned: pinned ? weights.pinned : 0,
  };
}

/**
 * Scores memories of other kinds on the scale of the turns: (BM25 relative to the best turn + similarity between the turns'
 * lowest and highest + boosts) × retrievability × the weight of the kind.
 */
export function scoreMemories(
  candidates: readonly MemoryCandidate[],
  scale: Scale,
  question: BoostQuestion,
  ranking: RankingWeights,
  weights: MemoryWeights = MEMORY_WEIGHTS,
): ScoredMemory[] {
  const wordPlaces = placesBy(candidates, ({ bm25 }) => (bm25 > 0 ? bm25 : null));
  const nearPlaces = placesBy(candidates, ({ similarity }) => similarity);
  return candidates.map((candidate) => {
    const parts = partsOf(candidate, scale, question, ranking, weights);
    const recalled = recallable(candidate, question.now);
    const forgetting = Math.max(weights.floor, recalled ?? 1);
    const kindWeight = weights.kinds[candidate.kind][question.intent];
    const sum = Object.values(parts).reduce((total, part) => total + part, 0);
    return {
      kind: candidate.kind,
      candidate,
      score: sum * forgetting * kindWeight,
      parts,
      bm25: candidate.bm25,
      bm25Rank: wordPlaces.get(candidate) ?? null,
      similarity: candidate.similarity,
      vectorRank: nearPlaces.get(candidate) ?? null,
      retrievability: recalled,
      forgetting,
      kindWeight,
    };
  });
}

/** Whether a memory is a key moment (requirements 7.2). */
export const isKeyMoment = (surprise: number | null): boolean => (surprise ?? 0) >= KEY_MOMENT;
