import type { MemoryKind } from '../core/memory-kind.ts';
import type { SegmentSummary } from '../episodes/segment-summary.ts';
import type { RankingCues } from './ranking-cues.ts';

/** One turn around a candidate, itself included. `offset` -1 = the turn before it in its thread. */
export type Neighbour = { offset: number; words: number; similarity: number | null };

/** The content of a turn, without its tool calls. */
export type CandidateContent = {
  id: number;
  role: string;
  speaker: string | null;
  channel: string;
  text: string;
  occurredAt: Date;
  recordedAt: Date;
  unreadByRules: boolean;
};

/**
 * A turn that may answer a query, in the same form from every source: where the query's terms occur in and around it, its
 * similarity, and what is known of its text.
 */
export type TurnCandidate = {
  kind: 'TURN';
  id: number;
  threadId: number;
  number: number;
  wordCount: number;
  /** The index of each query term → its frequency in the turn plus, weighted, in its neighbours. */
  frequencies: ReadonlyMap<number, number>;
  /** The indexes of the query terms that occur anywhere in its thread. */
  threadTerms: readonly number[];
  neighbours: readonly Neighbour[];
  /** The cues of its text; null until it has been read. */
  cues: RankingCues | null;
  /** Its content; null if its text has not been read, or only its beginning. */
  content: CandidateContent | null;
};

/** A memory of another kind that may answer a query, as the search finds it. */
export type MemoryCandidate = {
  kind: Exclude<MemoryKind, 'TURN'>;
  /** The id; for a skill, that of its episode and its number there. The number of other kinds is 0. */
  id: number;
  number: number;
  /** BM25 of its text, and that of an ideal text of mean length with every word of the query; 0 = no word. */
  bm25: number;
  ideal: number;
  /** The cosine with the query; null without a vector. */
  similarity: number | null;
  /** When it ended; for a fact, when it was last stated. */
  at: Date;
  /** For an episode: its last review, and its FSRS stability in days. */
  reviewedAt: Date | null;
  stability: number | null;
  /** For an episode, 0-1. */
  surprise: number | null;
  /** For a fact, 0-1. */
  importance: number | null;
  pinned: boolean;
};

/** Statistics of the user's turns. The maps contain the query terms that were searched, by their index. */
export type RankingStatistics = {
  turns: number;
  threads: number;
  /** The mean number of words in a turn. */
  meanWords: number;
  turnsWith: ReadonlyMap<number, number>;
  threadsWith: ReadonlyMap<number, number>;
};

/** What a source finds: turns, unordered, with everything needed to score them. */
export type TurnCandidates = {
  turns: readonly TurnCandidate[];
  statistics: RankingStatistics;
  /** The summaries of closed segments; null if they must still be read for the relevant threads. */
  segments: readonly SegmentSummary[] | null;
  timeZone: string | null;
  /** Whether all turns are embedded; null if nothing was found, so it is not known. */
  embedded: boolean | null;
};
