import { asksForReply, asksForTime } from '../../language/en/query-cues.ts';
import { type NamedDate, namedDateIn, saidOn } from '../../language/en/time/named-date.ts';
import { queryTermsOf, termsOf } from '../../language/text/terms.ts';
import { placeTurns } from './place-turns.ts';
import type { RankingMarks } from './ranking-marks.ts';

/** One turn around a candidate, itself included. `offset` -1 = the turn before it in its thread. */
export type Neighbour = { offset: number; words: number; similarity: number | null };

/** Where the query's words are in and around a turn, and how near it is. */
export type RankingPlace = {
  wordCount: number;
  /** Place of a query term in the query (from 0) → its frequency here and, weighted, around here. */
  frequencies: ReadonlyMap<number, number>;
  /** The query terms, by place, that occur anywhere in its thread. */
  threadTerms: readonly number[];
  neighbours: readonly Neighbour[];
  /** Cosine of the query and the summary of the segment that it lies in; null or left out where there is none. */
  toldSimilarity?: number | null;
};

/** What the ranking must know of a turn that may answer the query. */
export type RankingCandidate = RankingMarks & RankingPlace;

/** Statistics of the user's turns. The maps hold only query terms that were used, by their place. */
export type RankingStatistics = {
  turns: number;
  threads: number;
  /** Mean words of a turn. */
  meanWords: number;
  turnsWith: ReadonlyMap<number, number>;
  threadsWith: ReadonlyMap<number, number>;
};

export type RankingQuery = {
  terms: readonly string[];
  /** Asks when or how long: turns with a word of time answer it. */
  asksForTime: boolean;
  /** Asks what the assistant said: what others said answers other questions. */
  asksForReply: boolean;
  namedDate: NamedDate | null;
  timeZone: string;
  /** The span of time that it is about; `to` is exclusive. */
  range?: Span | null;
};

type Span = { from: Date | null; to: Date | null };

/** Whether a moment lies in a span of time. */
export const isWithin = (at: Date, { from, to }: Span): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/**
 * Where the numbers come from: a listwise softmax fit over 760 questions of five LoCoMo
 * conversations, leaving one conversation out each time; between the five fits the weights' standard
 * deviation was 2-11 % of their mean. What each is worth today: docs/ranking.md.
 */
export const RANKING_WEIGHTS = {
  /** BM25, Robertson's usual values; k1 0.6-3 and b 0.3-1 change recall@5 and @10 by at most 0.8. */
  k1: 1.2,
  b: 0.75,
  /** What the turns two before … two after lend: an answer seldom repeats the question's words. */
  neighbours: [0.325, 0.65, 1, 0.35, 0.175],
  /** A term in more than this share of the turns is not searched if a rarer one is there. */
  commonShare: 0.1,
  /** Terms are searched from the rarest on until this many postings are read: bounds the time. */
  postingsBudget: 3000,
  /** Candidates taken from each list (requirements 12.3). */
  candidates: 100,
  /** Of the words, as a share of the best candidate's: the other weights were fitted against 1, less does better among the first 5. */
  bm25: 0.85,
  /** Fits the built-in embedder; a stronger one earns more in its profile. */
  vector: 0.75,
  /** Nearness of the summary of the segment around the turn: 0.1-0.5 raise recall@10 by 0.5-0.75. */
  told: 0.25,
  /** The query names the turn's speaker. */
  speaker: 0.6,
  /** The turn itself asks. */
  question: -0.15,
  /** An assistant or a tool said it, which the query does not ask for; chosen on labelled chats, see docs/ranking.md. */
  reply: -0.6,
  /** A time question and a turn with a word of time. */
  time: 0.4,
  /** Reached at `longWords` words. */
  length: 0.25,
  longWords: 40,
  /** The turn was said on the date that the query names. */
  date: 0.85,
  /** It was said in the span of time that the query names: up to 0.75 costs nothing, 3 costs 1.3 of recall@5. */
  range: 0.5,
  /** The idf share of the query's terms that the whole thread holds. */
  thread: 0.45,
} as const;

export type RankingWeights = { [Key in keyof typeof RANKING_WEIGHTS]: Widened<Key> };
type Widened<Key extends keyof typeof RANKING_WEIGHTS> =
  (typeof RANKING_WEIGHTS)[Key] extends number ? number : readonly number[];

/** Every part of a score, so that a hit can explain itself. */
export type Ranked<Candidate> = {
  candidate: Candidate;
  /** The sum of all parts that follow, each already weighted. */
  score: number;
  parts: Record<
    | 'bm25'
    | 'vector'
    | 'told'
    | 'speaker'
    | 'question'
    | 'reply'
    | 'time'
    | 'length'
    | 'date'
    | 'range'
    | 'thread',
    number
  >;
  /** BM25 over the turn and its neighbours, and as a share of the best candidate's (0-1). */
  bm25: number;
  bm25Share: number;
  /** Cosine of the turn alone; weighted sum with its neighbours'; that scaled 0-1 over the candidates. */
  similarity: number | null;
  nearbySimilarity: number | null;
  similarityShare: number;
  /** Place (from 1) in the order by each; null when the turn has no score there. */
  bm25Rank: number | null;
  vectorRank: number | null;
};

/** Reads a query's text for the ranking. `timeZone`: the user's (IANA). */
export function readQuery(text: string, timeZone = 'UTC'): RankingQuery {
  return {
    terms: queryTermsOf(text),
    asksForTime: asksForTime(text),
    asksForReply: asksForReply(text),
    namedDate: namedDateIn(text),
    timeZone,
  };
}

/** What a score has of the query's words and meaning, before a text is read; see `placeTurns`. */
export type Placed<Candidate> = Omit<Ranked<Candidate>, 'score' | 'parts'> & {
  parts: Pick<Ranked<Candidate>['parts'], 'bm25' | 'vector' | 'told' | 'length' | 'thread'>;
};

const baseOf = ({ parts }: Pick<Placed<unknown>, 'parts'>): number =>
  parts.bm25 + parts.vector + parts.told + parts.length + parts.thread;

/**
 * The candidates that may be among the first so many whatever their texts say and however they have faded: the others need
 * not be read. `floor`: what fading multiplies a score by at least.
 */
export function mayLead<Candidate>(
  placed: readonly Placed<Candidate>[],
  query: RankingQuery,
  { first, floor }: { first: number; floor: number },
  w: RankingWeights = RANKING_WEIGHTS,
): Placed<Candidate>[] {
  const most =
    w.speaker +
    (query.asksForTime ? w.time : 0) +
    (query.namedDate ? w.date : 0) +
    (query.range ? w.range : 0);
  const bases = placed.map(baseOf).sort((a, b) => b - a);
  const sure =
    (bases[first - 1] ?? Number.NEGATIVE_INFINITY) +
    Math.min(w.question, 0) +
    (query.asksForReply ? 0 : Math.min(w.reply, 0));
  return placed.filter((own) => baseOf(own) + most >= Math.min(sure, sure * floor));
}

function namesSpeaker(terms: readonly string[]): (speaker: string | null) => boolean {
  const asked = new Set(terms);
  const known = new Map<string, boolean>();
  return (speaker) => {
    if (speaker === null) return false;
    const before = known.get(speaker);
    if (before !== undefined) return before;
    const named = [...termsOf(speaker).keys()].some((term) => asked.has(term));
    known.set(speaker, named);
    return named;
  };
}

/**
 * Adds what the texts say to what the candidates have by words and meaning, and orders them, best first. "OK." is near to any
 * question in meaning: what says nothing is left out where anything else is there.
 */
export function rankPlaced<Candidate extends RankingMarks>(
  placed: readonly Placed<Candidate>[],
  query: RankingQuery,
  weights: RankingWeights = RANKING_WEIGHTS,
): Ranked<Candidate>[] {
  const isNamed = namesSpeaker(query.terms);
  const isSaidOn = query.namedDate ? saidOn(query.namedDate, query.timeZone) : () => false;
  const telling = placed.filter(({ candidate }) => !candidate.saysNothing);
  const ranked = (telling.length > 0 ? telling : placed).map((own): Ranked<Candidate> => {
    const { candidate: turn, parts: known } = own;
    const parts = {
      bm25: known.bm25,
      vector: known.vector,
      told: known.told,
      speaker: isNamed(turn.speaker) ? weights.speaker : 0,
      question: turn.asks ? weights.question : 0,
      reply: turn.isReply && !query.asksForReply ? weights.reply : 0,
      time: query.asksForTime && turn.tellsTime ? weights.time : 0,
      length: known.length,
      date: isSaidOn(turn.occurredAt) ? weights.date : 0,
      range: query.range && isWithin(turn.occurredAt, query.range) ? weights.range : 0,
      thread: known.thread,
    };
    const score =
      baseOf(own) +
      parts.speaker +
      parts.question +
      parts.reply +
      parts.time +
      parts.date +
      parts.range;
    // Spelled out: a spread takes several times as long, and there are hundreds.
    return {
      candidate: turn,
      score,
      parts,
      bm25: own.bm25,
      bm25Share: own.bm25Share,
      similarity: own.similarity,
      nearbySimilarity: own.nearbySimilarity,
      similarityShare: own.similarityShare,
      bm25Rank: own.bm25Rank,
      vectorRank: own.vectorRank,
    };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/**
 * Scores the candidates and orders them, best first: BM25 over a turn and its neighbours plus the
 * similarity of the same neighbourhood, both scaled over the candidates, plus boosts. Without
 * vectors BM25 and the boosts decide.
 */
export const rank = <Candidate extends RankingCandidate>(
  candidates: readonly Candidate[],
  query: RankingQuery,
  statistics: RankingStatistics,
  weights: RankingWeights = RANKING_WEIGHTS,
): Ranked<Candidate>[] => rankPlaced(placeTurns(candidates, statistics, weights), query, weights);
