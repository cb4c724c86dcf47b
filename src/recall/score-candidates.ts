import { segmentRetrievability } from '../domain/episodes/segment-summary.ts';
import { type MemoryWeights, ownScale, scoreMemories } from '../domain/ranking/memory-ranking.ts';
import { scoreTexts } from '../domain/ranking/ranking.ts';
import {
  type Fusion,
  reciprocalRank,
  type Scored,
  type ScoredMemory,
  type ScoredTurn,
} from '../domain/ranking/scored.ts';
import type { Candidates } from './find-candidates.ts';

/** Recall's fourth stage: all candidates on one scale, unordered. */
export function scoreCandidates(
  candidates: Candidates,
  { fusion, weights }: { fusion: Fusion; weights: MemoryWeights },
): Scored[] {
  const { memories, turns, query, weights: ranking, search } = candidates;
  const { intent, now } = search.question;
  const around = ranking.neighbours.reduce((sum, weight) => sum + weight, 0);
  const scale = turns?.scale ?? ownScale(memories, around);
  const asked = { intent, now, range: query.range ?? null };
  const scored = scoreMemories(memories, scale, asked, ranking, weights);
  return [
    ...scoredTurns(candidates, { fusion, weights }),
    ...(fusion === 'rrf' ? scored.map(byReciprocalRanks) : scored),
  ];
}

/** The turns with what their texts say, and how far what was said is forgotten. */
function scoredTurns(
  { turns, query, weights: ranking, search }: Candidates,
  { fusion, weights }: { fusion: Fusion; weights: MemoryWeights },
): ScoredTurn[] {
  if (!turns) return [];
  const { intent, now } = search.question;
  const kindWeight = weights.kinds.TURN[intent];
  return scoreTexts(turns.scored, query, { weights: ranking, fusion }).map((own) => {
    const segment = turns.segmentOf(own.candidate);
    const retrievability = segment ? segmentRetrievability(segment, now) : null;
    const forgetting = Math.max(weights.turnFloor, retrievability ?? 1);
    const score = own.score * forgetting * kindWeight;
    return Object.assign(own, { retrievability, forgetting, kindWeight, score });
  });
}

/** A place in each list counts; no boosts, which are on another scale. */
function byReciprocalRanks(own: ScoredMemory): ScoredMemory {
  const bm25 = reciprocalRank(own.bm25Rank);
  const vector = reciprocalRank(own.vectorRank);
  const parts = { recency: 0, range: 0, importance: 0, pinned: 0, bm25, vector };
  return { ...own, parts, score: (bm25 + vector) * own.forgetting * own.kindWeight };
}
