import type { MemoryKind } from '../core/memory-kind.ts';
import { KEY_MOMENT, retrievability } from '../episodes/forgetting.ts';
import type { MemoryCandidate } from './candidate.ts';
import { isWithin, type RankingQuery, type RankingWeights } from './ranking.ts';
import type { ScoredMemory } from './scored.ts';

const DAY = 86_400_000;

/** How the scores of turns are scaled, so that other kinds are measured alike. */
export type Scale = {
  /** Share of the ideal BM25 that the best turn has. */
  words: number;
  /** Lowest similarity among the turns, and the spread from there to the highest. */
  lowest: number;
  spread: number;
};

/** What a message wants (requirements 12.8): earlier talk, or simply an answer. */
export type Intent = 'RECALL' | 'ORDINARY';

/** What of facts and episodes can be weighted by setting (requirements 12.9: similarity, importance, recency, pinned). */
export const RERANK_NAMES = ['similarity', 'importance', 'recency', 'pinned'] as const;
export type RerankName = (typeof RERANK_NAMES)[number];

export type MemoryWeights = {
  /** Of the similarity, against the words' 1; null = the embedder's own. */
  similarity: number | null;
  kinds: Record<MemoryKind, Record<Intent, number>>;
  /** Added to an episode or a fact of this moment; halves in `recencyDays`. */
  recency: Record<Intent, number>;
  recencyDays: number;
  /** Of a fact of importance 1, and of a pinned one. */
  importance: number;
  pinned: number;
  /** Retrievability does not count below this: of an episode, and of a turn. */
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

/** 1 for what is of this moment, half of it `days` later. */
const freshness = (at: Date, now: Date, days: number): number =>
  2 ** (-Math.max(0, now.getTime() - at.getTime()) / DAY / days);

function recallable(
  { kind, stability, reviewedAt, at }: MemoryCandidate,
  now: Date,
): number | null {
  if (kind !== 'EPISODE' || stability === null) return null;
  return retrievability({ stability }, reviewedAt ?? at, now);
}

/** Places from 1 in the order of a value, kind by kind; equal ones by their ids. */
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

/** The scale of memories among themselves: where no turns are searched. */
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

/** What the question is, for the boosts. */
type Asked = { intent: Intent; now: Date; range?: RankingQuery['range'] };

function partsOf(
  { kind, bm25, ideal, similarity, importance, at, pinned }: MemoryCandidate,
  scale: Scale,
  { intent, now, range = null }: Asked,
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
 * Scores what is recalled beside turns on the scale of the turns: its share of the ideal BM25 against the best turn's, its
 * similarity between the turns' lowest and highest, plus boosts, × retrievability, × the weight of its kind.
 */
export function scoreMemories(
  candidates: readonly MemoryCandidate[],
  scale: Scale,
  asked: Asked,
  ranking: RankingWeights,
  weights: MemoryWeights = MEMORY_WEIGHTS,
): ScoredMemory[] {
  const wordPlaces = placesBy(candidates, ({ bm25 }) => (bm25 > 0 ? bm25 : null));
  const nearPlaces = placesBy(candidates, ({ similarity }) => similarity);
  return candidates.map((candidate) => {
    const parts = partsOf(candidate, scale, asked, ranking, weights);
    const recalled = recallable(candidate, asked.now);
    const forgetting = Math.max(weights.floor, recalled ?? 1);
    const kindWeight = weights.kinds[candidate.kind][asked.intent];
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
