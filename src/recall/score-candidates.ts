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

/** Recall's fourth stage: scores all candidates on one scale; unordered. */
export function scoreCandidates(
  candidates: Candidates,
  { fusion, weights }: { fusion: Fusion; weights: MemoryWeights },
): Scored[] {
  const { memories, turns, query, weights: ranking, search } = candidates;
  const { intent, now } = search.question;
  const around = ranking.neighbours.reduce((sum, weight) => sum + weight, 0);
  const scale = turns?.scale ?? ownScale(memories, around);
  const question = { intent, now, range: query.range ?? null };
  const scored = scoreMemories(memories, scale, question, ranking, weights);
  return [
    ...scoredTurns(candidates, { fusion, weights }),
    ...(fusion === 'rrf' ? scored.map(byReciprocalRanks) : scored),
  ];
}

/** Adds the parts from the turns' texts, and how far their segments have faded. */
function scoredTurns(
  { turns, query, weights: ranking, search }: Candidates,
  { fusion, weights }: { fusion: Fusion; weights: MemoryWeights },
): ScoredTurn[] {
  if (!turns) return [];
  const { intent, now } = search.question;
  const kindWeight = weights.kinds.TURN[intent];
  return scoreTexts(turns.scored, query, { weights: ranking, fusion }).map((turn) => {
    const segment = turns.segmentOf(turn.candidate);
    const retrievability = segment ? segmentRetrievability(segment, now) : null;
    const forgetting = Math.max(weights.turnFloor, retrievability ?? 1);
    const score = turn.score * forgetting * kindWeight;
    return Object.assign(turn, { retrievability, forgetting, kindWeight, score });
  });
}

/** Scores a memory by its ranks only, without boosts, which are on another scale. */
function byReciprocalRanks(memory: ScoredMemory): ScoredMemory {
  const bm25 = reciprocalRank(memory.bm25Rank);
  const vector = reciprocalRank(memory.vectorRank);
  const parts = { recency: 0, range: 0, importance: 0, pinned: 0, bm25, vector };
  return { ...memory, parts, score: (bm25 + vector) * memory.forgetting * memory.kindWeight };
}
