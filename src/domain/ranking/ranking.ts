import { asksForReply, asksForTime } from '../../language/en/query-cues.ts';
import { type NamedDate, namedDateIn, saidOn } from '../../language/en/time/named-date.ts';
import { queryTermsOf, termsOf } from '../../language/text/terms.ts';
import type { TurnCandidates } from './candidate.ts';
import { scoreTurns } from './score-turns.ts';
import { byScore, type Fusion, type ScoredTurn } from './scored.ts';

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
  /** Similarity of the summary of the segment around the turn: 0.1-0.5 raise recall@10 by 0.5-0.75. */
  segmentSummary: 0.25,
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

/** What turns are scored by beside the query. */
export type Scoring = { weights: RankingWeights; fusion: Fusion };

const SCORING: Scoring = { weights: RANKING_WEIGHTS, fusion: 'weighted' };

/** What the parts that need a text are worth; nothing where the places alone count. */
const NO_WEIGHT = { speaker: 0, question: 0, reply: 0, time: 0, date: 0, range: 0 };
const textWeights = ({ weights, fusion }: Scoring) => (fusion === 'rrf' ? NO_WEIGHT : weights);

/**
 * The turns that may be among the first so many whatever their texts say and however they have faded: the others need not
 * be read. What is known to say nothing makes room for others. `floor`: what fading multiplies a score by at least.
 */
export function mayLead(
  scored: readonly ScoredTurn[],
  query: RankingQuery,
  { first, floor }: { first: number; floor: number },
  scoring: Scoring = SCORING,
): ScoredTurn[] {
  const w = textWeights(scoring);
  const most =
    w.speaker +
    (query.asksForTime ? w.time : 0) +
    (query.namedDate ? w.date : 0) +
    (query.range ? w.range : 0);
  const telling = scored.filter(({ candidate }) => candidate.marks?.saysNothing !== true);
  const scores = telling.map(({ score }) => score).sort((a, b) => b - a);
  const sure =
    (scores[first - 1] ?? Number.NEGATIVE_INFINITY) +
    Math.min(w.question, 0) +
    (query.asksForReply ? 0 : Math.min(w.reply, 0));
  return telling.filter(({ score }) => score + most >= Math.min(sure, sure * floor));
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
 * Adds what the texts say to the scores of turns whose texts have been read, and orders them, best first. "OK." is near to
 * any question: what says nothing is left out where anything else is there.
 */
export function scoreTexts(
  scored: readonly ScoredTurn[],
  query: RankingQuery,
  scoring: Scoring = SCORING,
): ScoredTurn[] {
  const w = textWeights(scoring);
  const isNamed = namesSpeaker(query.terms);
  const isSaidOn = query.namedDate ? saidOn(query.namedDate, query.timeZone) : () => false;
  const read = scored.flatMap((own) => {
    const { marks } = own.candidate;
    return marks ? [{ own, marks }] : [];
  });
  const telling = read.filter(({ marks }) => !marks.saysNothing);
  const all = (telling.length > 0 ? telling : read).map(({ own, marks }): ScoredTurn => {
    const parts = {
      bm25: own.parts.bm25,
      vector: own.parts.vector,
      segmentSummary: own.parts.segmentSummary,
      speaker: isNamed(marks.speaker) ? w.speaker : 0,
      question: marks.asks ? w.question : 0,
      reply: marks.isReply && !query.asksForReply ? w.reply : 0,
      time: query.asksForTime && marks.tellsTime ? w.time : 0,
      length: own.parts.length,
      date: isSaidOn(marks.occurredAt) ? w.date : 0,
      range: query.range && isWithin(marks.occurredAt, query.range) ? w.range : 0,
      thread: own.parts.thread,
    };
    const score =
      own.score +
      parts.speaker +
      parts.question +
      parts.reply +
      parts.time +
      parts.date +
      parts.range;
    // Spelled out: a spread takes several times as long, and there are hundreds.
    return {
      kind: 'TURN',
      candidate: own.candidate,
      score,
      parts,
      bm25: own.bm25,
      bm25Rank: own.bm25Rank,
      similarity: own.similarity,
      nearbySimilarity: own.nearbySimilarity,
      vectorRank: own.vectorRank,
      retrievability: own.retrievability,
      forgetting: own.forgetting,
      kindWeight: own.kindWeight,
    };
  });
  return all.sort(byScore);
}

/**
 * Scores candidates whose texts have been read and orders them, best first: BM25 over a turn and its neighbours plus the
 * similarity of the same neighbourhood, both scaled over the candidates, plus boosts. Without vectors BM25 and the boosts
 * decide.
 */
export const rank = (
  found: Pick<TurnCandidates, 'turns' | 'statistics'>,
  query: RankingQuery,
  weights: RankingWeights = RANKING_WEIGHTS,
): ScoredTurn[] => {
  const scoring = { weights, fusion: 'weighted' as const };
  return scoreTexts(
    scoreTurns(found, () => null, scoring),
    query,
    scoring,
  );
};
