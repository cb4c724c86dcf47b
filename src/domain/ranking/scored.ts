import type { MemoryCandidate, TurnCandidate } from './candidate.ts';

/** The parts of a score that a turn has by the query's words and vector; the others need its text. */
type SearchPart = 'bm25' | 'vector' | 'segmentSummary' | 'length' | 'thread';
type TextPart = 'speaker' | 'question' | 'reply' | 'time' | 'date' | 'range';
type MemoryPart = 'bm25' | 'vector' | 'recency' | 'range' | 'importance' | 'pinned';

/** A score and all that it is made of, so that a hit can explain itself. */
type Score<Part extends string> = {
  /** The sum of the parts, × `forgetting` × `kindWeight`. */
  score: number;
  /** Each already weighted. */
  parts: Record<Part, number>;
  bm25: number;
  /** Cosine; null without a vector. */
  similarity: number | null;
  /** Place (from 1) among its kind in the order by each; null when it has no score there. */
  bm25Rank: number | null;
  vectorRank: number | null;
  /** FSRS, 0-1; null for what does not fade. */
  retrievability: number | null;
  /** What retrievability multiplies the score by: not below a floor. */
  forgetting: number;
  kindWeight: number;
};

/**
 * A turn with its score. `bm25` is that of the turn and its neighbours, `similarity` that of the turn alone, and
 * `nearbySimilarity` the weighted sum with its neighbours'. Before its text is read the parts that need it are 0.
 */
export type ScoredTurn = Score<SearchPart | TextPart> & {
  kind: 'TURN';
  candidate: TurnCandidate;
  nearbySimilarity: number | null;
};

/** A memory of another kind with its score, on the scale of the turns. */
export type ScoredMemory = Score<MemoryPart> & {
  kind: MemoryCandidate['kind'];
  candidate: MemoryCandidate;
};

/** A candidate with its score, whatever its kind. */
export type Scored = ScoredTurn | ScoredMemory;

/** How words and vectors come to one score. */
export type Fusion = 'weighted' | 'rrf';

/** Cormack et al. 2009: what a place in a list is worth. */
export const reciprocalRank = (place: number | null): number =>
  place === null ? 0 : 1 / (60 + place);

/** The best first; equal ones always in the same order, wherever they come from. */
export const byScore = (a: Scored, b: Scored): number =>
  b.score - a.score ||
  (a.kind < b.kind ? -1 : Number(a.kind > b.kind)) ||
  a.candidate.id - b.candidate.id ||
  a.candidate.number - b.candidate.number;
