import type { MemoryCandidate, TurnCandidate } from './candidate.ts';

/** The parts of a turn's score that need no text: they are summed first. */
export const SEARCH_PARTS = ['bm25', 'vector', 'segmentSummary', 'length', 'thread'] as const;
type SearchPart = (typeof SEARCH_PARTS)[number];
/** The parts that need a turn's text. */
export type TextPart = 'speaker' | 'question' | 'reply' | 'time' | 'date' | 'range';
type MemoryPart = 'bm25' | 'vector' | 'recency' | 'range' | 'importance' | 'pinned';

/** A score and its parts, so that a hit can explain itself. */
type Score<Part extends string> = {
  /** The sum of the parts, × `forgetting` × `kindWeight`. */
  score: number;
  /** Each already weighted. */
  parts: Record<Part, number>;
  bm25: number;
  /** Cosine; null without a vector. */
  similarity: number | null;
  /** Its rank among its kind by each, from 1; null if it has no score there. */
  bm25Rank: number | null;
  vectorRank: number | null;
  /** Retrievability by FSRS, 0-1; null if it does not fade. */
  retrievability: number | null;
  /** The factor by which the score is reduced: its retrievability, or a floor if that is lower. */
  forgetting: number;
  kindWeight: number;
};

/**
 * A turn with its score. `bm25` includes its neighbours, `similarity` is that of the turn alone, and `nearbySimilarity` the
 * weighted sum with its neighbours. Until its text is read, the parts that need it are 0.
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

/** How the results by words and by vectors are combined. */
export type Fusion = 'weighted' | 'rrf';

/** The value of a rank in reciprocal rank fusion (Cormack et al. 2009); 0 without a rank. */
export const reciprocalRank = (place: number | null): number =>
  place === null ? 0 : 1 / (60 + place);

/** Orders by score, best first. Ties always have the same order, whatever the source. */
export const byScore = (a: Scored, b: Scored): number =>
  b.score - a.score ||
  (a.kind < b.kind ? -1 : Number(a.kind > b.kind)) ||
  a.candidate.id - b.candidate.id ||
  a.candidate.number - b.candidate.number;
