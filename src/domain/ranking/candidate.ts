import type { MemoryKind } from '../core/memory-kind.ts';
import type { SegmentSummary } from '../episodes/segment-summary.ts';
import type { RankingMarks } from './ranking-marks.ts';

/** One turn around a candidate, itself included. `offset` -1 = the turn before it in its thread. */
export type Neighbour = { offset: number; words: number; similarity: number | null };

/** What a turn says. `toolCalls`: JSON text, unparsed. */
export type SaidTurn = {
  id: number;
  role: string;
  speaker: string | null;
  channel: string;
  text: string;
  toolCalls: string | null;
  occurredAt: Date;
  recordedAt: Date;
};

/**
 * A turn that may answer a query, in the one shape that every source gives it: where the query's words are in and around
 * it, how near it is, and what is known of its text.
 */
export type TurnCandidate = {
  kind: 'TURN';
  id: number;
  threadId: number;
  number: number;
  wordCount: number;
  /** Place of a query term in the query (from 0) → its frequency here and, weighted, around here. */
  frequencies: ReadonlyMap<number, number>;
  /** The query terms, by place, that occur anywhere in its thread. */
  threadTerms: readonly number[];
  neighbours: readonly Neighbour[];
  /** What the ranking reads in its text; null until that has been read. */
  marks: RankingMarks | null;
  /** Its text; null where it has not been read, or only its beginning. */
  said: SaidTurn | null;
};

/** What is recalled beside turns and may answer a query, as the search finds it. */
export type MemoryCandidate = {
  kind: Exclude<MemoryKind, 'TURN'>;
  /** Of a skill: its episode's, and its number there; the number of others is 0. */
  id: number;
  number: number;
  /** BM25 over its text, and what a text with every word of the query and of mean length would have; 0 = no word. */
  bm25: number;
  ideal: number;
  /** Cosine of the query; null without a vector. */
  similarity: number | null;
  /** When it ended; of a fact, when it was last said. */
  at: Date;
  /** Of an episode: when FSRS last moved, and its stability in days. */
  reviewedAt: Date | null;
  stability: number | null;
  /** Of an episode, 0-1. */
  surprise: number | null;
  /** Of a fact, 0-1. */
  importance: number | null;
  pinned: boolean;
};

/** Statistics of the user's turns. The maps hold only query terms that were used, by their place. */
export type RankingStatistics = {
  turns: number;
  threads: number;
  /** Mean words of a turn. */
  meanWords: number;
  turnsWith: ReadonlyMap<number, number>;
  threadsWith: ReadonlyMap<number, number>;
};

/** What a source finds among a memory's turns: unordered, with all that is needed to score them. */
export type TurnCandidates = {
  turns: readonly TurnCandidate[];
  statistics: RankingStatistics;
  /** The summaries of closed segments; null where they must be read for the threads that matter. */
  segments: readonly SegmentSummary[] | null;
  timeZone: string | null;
  /** Whether the embedder has come to all turns; null where nothing was found to tell. */
  embedded: boolean | null;
};
