import type { Scale } from './memory-ranking.ts';
import { type NamedDate, namedDateIn, saidOn } from './named-date.ts';
import { queryTermsOf, termsOf } from './terms.ts';

/** One turn around a candidate, itself included. `offset` -1 = the turn before it in its thread. */
export type Neighbour = { offset: number; words: number; similarity: number | null };

/** What the ranking must know of a turn that may answer the query. */
export type RankingCandidate = {
  text: string;
  speaker: string | null;
  wordCount: number;
  occurredAt: Date;
  /** Place of a query term in the query (from 0) → its frequency here and, weighted, around here. */
  frequencies: ReadonlyMap<number, number>;
  /** The query terms, by place, that occur anywhere in its thread. */
  threadTerms: readonly number[];
  neighbours: readonly Neighbour[];
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

export type RankingQuery = {
  terms: readonly string[];
  /** Asks when or how long: turns with a word of time answer it. */
  asksForTime: boolean;
  namedDate: NamedDate | null;
  timeZone: string;
};

/**
 * Where the numbers come from: a listwise softmax fit over 760 questions of five LoCoMo
 * conversations, leaving one conversation out each time; between the five fits the weights' standard
 * deviation was 2-11 % of their mean. BM25 (as a share of the best candidate's) counts 1.
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
  /** Candidates taken from each list (system.md §8). */
  candidates: 100,
  /** Fits the built-in embedder; a stronger one earns more in its profile. */
  vector: 0.75,
  /** The query names the turn's speaker. */
  speaker: 0.6,
  /** The turn itself asks. */
  question: -0.15,
  /** A time question and a turn with a word of time. */
  time: 0.4,
  /** Reached at `longWords` words. */
  length: 0.25,
  longWords: 40,
  /** The turn was said on the date that the query names. */
  date: 0.85,
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
    'bm25' | 'vector' | 'speaker' | 'question' | 'time' | 'length' | 'date' | 'thread',
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

const ASKS_FOR_TIME =
  /\bwhen\b|\bhow (?:long|often)\b|\b(?:what|which) (?:year|month|day|date|time)\b/i;
const TIME_WORD =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|weeks?|weekend|months?|years?|days?|morning|evening|afternoon|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|recently|just|summer|winter|spring|fall|autumn|since|soon|(?:19|20)\d\d)\b/i;

/** Reads a query's text for the ranking. `timeZone`: the user's (IANA). */
export function readQuery(text: string, timeZone = 'UTC'): RankingQuery {
  return {
    terms: queryTermsOf(text),
    asksForTime: ASKS_FOR_TIME.test(text),
    namedDate: namedDateIn(text),
    timeZone,
  };
}

/** Robertson-Spärck Jones idf, never negative: ln(1 + (N − n + ½) / (n + ½)). */
const idf = (all: number, having: number): number =>
  Math.log(1 + Math.max(all - having + 0.5, 0.5) / (having + 0.5));

const total = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

function bm25(turn: RankingCandidate, statistics: RankingStatistics, w: RankingWeights): number {
  const half = (w.neighbours.length - 1) / 2;
  const length = total(turn.neighbours.map((n) => n.words * (w.neighbours[n.offset + half] ?? 0)));
  const mean = Math.max(statistics.meanWords, 1) * total(w.neighbours);
  const damping = w.k1 * (1 - w.b + (w.b * length) / mean);
  let score = 0;
  for (const [place, tf] of turn.frequencies) {
    const rarity = idf(statistics.turns, statistics.turnsWith.get(place) ?? 0);
    score += (rarity * tf * (w.k1 + 1)) / (tf + damping);
  }
  return score;
}

/**
 * The dot product is linear: summing similarities equals comparing with the summed vectors. A turn
 * without a vector counts as the usual one: not having been embedded yet says nothing against it.
 * With half of LoCoMo's vectors missing, recall@5 and @10 so fall by 1 and not by 2.6, which would
 * be less than words alone find.
 */
function nearbySimilarity(
  turn: RankingCandidate,
  usual: number | null,
  w: RankingWeights,
): number | null {
  if (usual === null) return null;
  const half = (w.neighbours.length - 1) / 2;
  return total(
    turn.neighbours.map((n) => (n.similarity ?? usual) * (w.neighbours[n.offset + half] ?? 0)),
  );
}

/** The mean similarity of what the candidates have vectors for; null without any vector. */
function usualSimilarity(candidates: readonly RankingCandidate[]): number | null {
  const known = candidates.flatMap((turn) => turn.neighbours.flatMap((n) => n.similarity ?? []));
  return known.length > 0 ? total(known) / known.length : null;
}

/** How the scores of ranked turns are scaled, for measuring other kinds alike. */
export function scaleOf(
  ranked: readonly Pick<Ranked<unknown>, 'bm25' | 'nearbySimilarity'>[],
  query: RankingQuery,
  statistics: RankingStatistics,
  w: RankingWeights = RANKING_WEIGHTS,
): Scale {
  const known = [...statistics.turnsWith.values()];
  const missing = query.terms.length - known.length;
  const rarity = total(known.map((having) => idf(statistics.turns, having)));
  const ideal = (rarity + missing * idf(statistics.turns, 0)) * (w.k1 + 1);
  const near = ranked.flatMap(({ nearbySimilarity }) => nearbySimilarity ?? []);
  const lowest = Math.min(...near);
  return {
    words: ideal > 0 ? Math.max(...ranked.map(({ bm25: own }) => own)) / ideal : 0,
    ...(near.length > 0
      ? { lowest, spread: Math.max(Math.max(...near) - lowest, Number.EPSILON) }
      : { lowest: 0, spread: Number.POSITIVE_INFINITY }),
  };
}

function threadShare(turn: RankingCandidate, { threads, threadsWith }: RankingStatistics): number {
  const rarity = (place: number) => idf(threads, threadsWith.get(place) ?? 0);
  const all = total([...threadsWith.keys()].map(rarity));
  return all > 0 ? total(turn.threadTerms.map(rarity)) / all : 0;
}

function places<Item>(items: Item[], value: (item: Item) => number | null): Map<Item, number> {
  const having = items.filter((item) => value(item) !== null);
  having.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0));
  return new Map(having.map((item, index) => [item, index + 1]));
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
 * Scores the candidates and orders them, best first: BM25 over a turn and its neighbours plus the
 * similarity of the same neighbourhood, both scaled over the candidates, plus boosts. Without
 * vectors BM25 and the boosts decide.
 */
export function rank<Candidate extends RankingCandidate>(
  candidates: readonly Candidate[],
  query: RankingQuery,
  statistics: RankingStatistics,
  weights: RankingWeights = RANKING_WEIGHTS,
): Ranked<Candidate>[] {
  const usual = usualSimilarity(candidates);
  const raw = candidates.map((candidate) => {
    const near = nearbySimilarity(candidate, usual, weights);
    const isSeen = candidate.neighbours.some((n) => n.similarity !== null);
    return {
      candidate,
      bm25: bm25(candidate, statistics, weights),
      near,
      seen: isSeen ? near : null,
    };
  });
  const bestWords = Math.max(...raw.map((r) => r.bm25), Number.EPSILON);
  const nears = raw.flatMap((r) => (r.near === null ? [] : [r.near]));
  const lowest = Math.min(...nears);
  const spread = Math.max(Math.max(...nears) - lowest, Number.EPSILON);
  const wordPlaces = places(raw, (r) => (r.bm25 > 0 ? r.bm25 : null));
  const nearPlaces = places(raw, (r) => r.seen);
  const isNamed = namesSpeaker(query.terms);
  const isSaidOn = query.namedDate ? saidOn(query.namedDate, query.timeZone) : () => false;

  const ranked = raw.map((r): Ranked<Candidate> => {
    const turn = r.candidate;
    const bm25Share = r.bm25 / bestWords;
    const similarityShare = r.near === null ? 0 : (r.near - lowest) / spread;
    const parts = {
      bm25: bm25Share,
      vector: weights.vector * similarityShare,
      speaker: isNamed(turn.speaker) ? weights.speaker : 0,
      question: turn.text.includes('?') ? weights.question : 0,
      time: query.asksForTime && TIME_WORD.test(turn.text) ? weights.time : 0,
      length: weights.length * Math.min(turn.wordCount / weights.longWords, 1),
      date: isSaidOn(turn.occurredAt) ? weights.date : 0,
      thread: weights.thread * threadShare(turn, statistics),
    };
    return {
      candidate: turn,
      score: total(Object.values(parts)),
      parts,
      bm25: r.bm25,
      bm25Share,
      similarity: turn.neighbours.find((n) => n.offset === 0)?.similarity ?? null,
      nearbySimilarity: r.seen,
      similarityShare,
      bm25Rank: wordPlaces.get(r) ?? null,
      vectorRank: nearPlaces.get(r) ?? null,
    };
  });
  return ranked.sort((a, b) => b.score - a.score);
}
