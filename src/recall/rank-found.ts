import type { FoundTurn } from '../db/search/search.ts';
import { segmentRetrievability } from '../domain/episodes/told-segment.ts';
import {
  type Fusion,
  type Intent,
  type MemoryWeights,
  ownScale,
  rankMemories,
} from '../domain/ranking/memory-ranking.ts';
import type { Entry } from '../domain/ranking/pool.ts';
import { rankPlaced } from '../domain/ranking/ranking.ts';
import type { Found } from './retrieve.ts';

/** Recall's third stage: all that was found on one scale, unordered. */
export function rankFound(
  { turns, memories, query, weights }: Found,
  { intent, now, fusion }: { intent: Intent; now: Date; fusion: Fusion },
  memoryWeights: MemoryWeights,
): Entry<FoundTurn>[] {
  const fused = fusion === 'rrf' ? byReciprocalRanks : <T>(same: T) => same;
  const ranked = turns ? rankPlaced(turns.placed, query, weights) : [];
  const { turnFloor } = memoryWeights;
  const around = weights.neighbours.reduce((sum, weight) => sum + weight, 0);
  const scale = turns?.scale ?? ownScale(memories, around);
  const kindWeight = memoryWeights.kinds.TURN[intent];
  return [
    ...ranked.map((own): Entry<FoundTurn> => {
      const segment = turns?.segmentOf(own.candidate);
      const retrievability = segment ? segmentRetrievability(segment, now) : null;
      const forgetting = Math.max(turnFloor, retrievability ?? 1);
      const turn = fused(Object.assign(own, { retrievability, forgetting, kindWeight }));
      return { kind: 'TURN', score: scoreOf(turn), turn };
    }),
    ...rankMemories(
      memories,
      scale,
      { intent, now, range: query.range ?? null },
      weights,
      memoryWeights,
    ).map((own): Entry<FoundTurn> => {
      const memory = fused(own);
      return { kind: memory.candidate.kind, score: scoreOf(memory), memory };
    }),
  ];
}

type Scored = {
  parts: Record<string, number>;
  bm25Rank: number | null;
  vectorRank: number | null;
  forgetting: number;
  kindWeight: number;
};

/** Fused score × retrievability × the weight of the kind. */
const scoreOf = ({ parts, forgetting, kindWeight }: Scored): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0) * forgetting * kindWeight;

/** Cormack et al. 2009: 1 / (60 + rank) for each list; no boosts, which are on another scale. */
function byReciprocalRanks<T extends Scored>(ranked: T): T {
  const of = (place: number | null) => (place === null ? 0 : 1 / (60 + place));
  const none = Object.fromEntries(Object.keys(ranked.parts).map((name) => [name, 0]));
  const parts = { ...none, bm25: of(ranked.bm25Rank), vector: of(ranked.vectorRank) };
  return { ...ranked, parts };
}
