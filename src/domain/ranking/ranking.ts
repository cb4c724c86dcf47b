import { asksForReply, asksForTime } from '../../language/en/query-cues.ts';
import { type NamedDate, namedDateIn, saidOn } from '../../language/en/time/named-date.ts';
import { queryTermsOf, termsOf } from '../../language/text/terms.ts';
import { keysOf } from '../../shared/keys-of.ts';
import type { TurnCandidates } from './candidate.ts';
import type { RankingCues } from './ranking-cues.ts';
import { scoreTurns } from './score-turns.ts';
import { byScore, type Fusion, type ScoredTurn, type TextPart } from './scored.ts';

export type RankingQuery = {
  terms: readonly string[];
  /** It asks when or how long, so turns with a word of time answer it. */
  asksForTime: boolean;
  /** It asks what the assistant said. Otherwise replies get a lower score. */
  asksForReply: boolean;
  namedDate: NamedDate | null;
  timeZone: string;
  /** The period that it is about; `to` is exclusive. */
  range?: Period | null;
};

type Period = { from: Date | null; to: Date | null };

/** Whether a moment lies in a period. */
export const isWithin = (at: Date, { from, to }: Period): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/**
 * The weights come from a listwise softmax fit over 760 questions of five LoCoMo conversations, leaving out one conversation
 * at a time. Between the five fits the standard deviation of the weights was 2-11 % of their mean. docs/ranking.md shows what
 * each contributes.
 */
export const RANKING_WEIGHTS = {
  /** BM25, Robertson's usual values; k1 0.6-3 and b 0.3-1 change recall@5 and @10 by at most 0.8. */
  k1: 1.2,
  b: 0.75,
  /** The weights of the turns from two before to two after: an answer seldom repeats the question's words. */
  neighbours: [0.325, 0.65, 1, 0.35, 0.175],
  /** A term in more than this share of the turns is not searched if there is a rarer one. */
  commonShare: 0.1,
  /** Terms are searched from the rarest on until this many postings are read, which limits the time. */
  postingsBudget: 3000,
  /** Candidates taken from each list (requirements 12.3). */
  candidates: 100,
  /** Weight of BM25 relative to the best candidate's. The others were fitted against 1; a little less improves recall@5. */
  bm25: 0.85,
  /** Weight of similarity, for the built-in embedder; the profile of a better one raises it. */
  vector: 0.75,
  /** Weight of the segment summary's similarity: 0.1-0.5 raise recall@10 by 0.5-0.75. */
  segmentSummary: 0.25,
  /** The query names the turn's speaker. */
  speaker: 0.6,
  /** The turn contains a question. */
  question: -0.15,
  /** An assistant or a tool said it, which the query does not ask for; chosen on labelled chats, see docs/ranking.md. */
  reply: -0.6,
  /** The query asks for a time, and the turn contains a word of time. */
  time: 0.4,
  /** The boost of a turn of `longWords` words or more; shorter turns get less. */
  length: 0.25,
  longWords: 40,
  /** The turn was said on the date that the query names. */
  date: 0.85,
  /** The turn was said in the period that the query names: up to 0.75 costs nothing, 3 costs 1.3 of recall@5. */
  range: 0.5,
  /** Weight of the share, by idf, of the query's terms that occur in the whole thread. */
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

/** How turns are scored. */
export type Scoring = { weights: RankingWeights; fusion: Fusion };

const SCORING: Scoring = { weights: RANKING_WEIGHTS, fusion: 'weighted' };

/** What the parts of a turn's text depend on besides its cues. */
type TextQuestion = RankingQuery & {
  isNamed: (speaker: string | null) => boolean;
  isSaidOn: (at: Date) => boolean;
};

/** A part of a score that needs a turn's text: the whole weight, or nothing. */
type TextPartRule = {
  /** Whether any turn can have it. Then a turn whose text was not read yet may still win by it. */
  canApply: (query: RankingQuery) => boolean;
  applies: (cues: RankingCues, question: TextQuestion) => boolean;
};

const TEXT_PARTS: Readonly<Record<TextPart, TextPartRule>> = {
  speaker: {
    canApply: () => true,
    applies: ({ speaker }, { isNamed }) => isNamed(speaker),
  },
  question: {
    canApply: () => true,
    applies: ({ asks }) => asks,
  },
  reply: {
    canApply: (query) => !query.asksForReply,
    applies: ({ isReply }) => isReply,
  },
  time: {
    canApply: (query) => query.asksForTime,
    applies: ({ namesTime }) => namesTime,
  },
  date: {
    canApply: ({ namedDate }) => namedDate !== null,
    applies: ({ occurredAt }, { isSaidOn }) => isSaidOn(occurredAt),
  },
  range: {
    canApply: ({ range }) => Boolean(range),
    applies: ({ occurredAt }, { range }) => Boolean(range && isWithin(occurredAt, range)),
  },
};

/** The parts by texts that a query can give, with their weights; none with `rrf`, where only ranks count. */
function textPartsFor(query: RankingQuery, { weights, fusion }: Scoring) {
  if (fusion === 'rrf') return [];
  return keysOf(TEXT_PARTS).flatMap((name) => {
    const { canApply, applies } = TEXT_PARTS[name];
    return canApply(query) ? [{ name, weight: weights[name], applies }] : [];
  });
}

/**
 * The turns that can still be among the `first` best, whatever their texts say and however far they have faded. The texts of
 * the others need not be read. Turns that are known to say nothing are left out.
 * @param bounds `floor`: the lowest factor by which fading reduces a score
 */
export function canStillWin(
  scored: readonly ScoredTurn[],
  query: RankingQuery,
  bounds: { first: number; floor: number },
  scoring: Scoring = SCORING,
): ScoredTurn[] {
  const { first, floor } = bounds;
  const weights = textPartsFor(query, scoring).map(({ weight }) => weight);
  const most = weights.reduce((sum, weight) => sum + Math.max(weight, 0), 0);
  const least = weights.reduce((sum, weight) => sum + Math.min(weight, 0), 0);
  const informative = scored.filter(({ candidate }) => candidate.cues?.saysNothing !== true);
  const scores = informative.map(({ score }) => score).sort((a, b) => b - a);
  const sure = (scores[first - 1] ?? Number.NEGATIVE_INFINITY) + least;
  return informative.filter(({ score }) => score + most >= Math.min(sure, sure * floor));
}

function namesSpeaker(terms: readonly string[]): (speaker: string | null) => boolean {
  const queryTerms = new Set(terms);
  const cache = new Map<string, boolean>();
  return (speaker) => {
    if (speaker === null) return false;
    const cached = cache.get(speaker);
    if (cached !== undefined) return cached;
    const named = [...termsOf(speaker).keys()].some((term) => queryTerms.has(term));
    cache.set(speaker, named);
    return named;
  };
}

/**
 * Adds the parts that need a text to the scores of turns that have been read, and orders them, best first. "OK." is similar
 * to any question, so turns that say nothing are left out if there are others.
 */
export function scoreTexts(
  scored: readonly ScoredTurn[],
  query: RankingQuery,
  scoring: Scoring = SCORING,
): ScoredTurn[] {
  const due = textPartsFor(query, scoring);
  const question: TextQuestion = {
    ...query,
    isNamed: namesSpeaker(query.terms),
    isSaidOn: query.namedDate ? saidOn(query.namedDate, query.timeZone) : () => false,
  };
  const read = scored.flatMap((turn) => {
    const { cues } = turn.candidate;
    return cues ? [{ turn, cues }] : [];
  });
  const informative = read.filter(({ cues }) => !cues.saysNothing);
  const all = (informative.length > 0 ? informative : read).map(({ turn, cues }): ScoredTurn => {
    // Listed field by field, because a spread takes several times as long and there are hundreds.
    const parts = {
      bm25: turn.parts.bm25,
      vector: turn.parts.vector,
      segmentSummary: turn.parts.segmentSummary,
      speaker: 0,
      question: 0,
      reply: 0,
      time: 0,
      length: turn.parts.length,
      date: 0,
      range: 0,
      thread: turn.parts.thread,
    };
    let { score } = turn;
    for (const { name, weight, applies } of due) {
      if (!applies(cues, question)) continue;
      parts[name] = weight;
      score += weight;
    }
    return {
      kind: 'TURN',
      candidate: turn.candidate,
      score,
      parts,
      bm25: turn.bm25,
      bm25Rank: turn.bm25Rank,
      similarity: turn.similarity,
      nearbySimilarity: turn.nearbySimilarity,
      vectorRank: turn.vectorRank,
      retrievability: turn.retrievability,
      forgetting: turn.forgetting,
      kindWeight: turn.kindWeight,
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
