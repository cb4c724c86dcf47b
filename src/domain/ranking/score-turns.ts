import type { SegmentSummary } from '../episodes/segment-summary.ts';
import type { RankingStatistics, TurnCandidate, TurnCandidates } from './candidate.ts';
import { idf } from './idf.ts';
import type { Scale } from './memory-ranking.ts';
import type { RankingQuery, RankingWeights } from './ranking.ts';
import { type Fusion, reciprocalRank, type ScoredTurn } from './scored.ts';

/** Nearer to each other than this the stored vectors, in half precision, do not tell similarities apart. */
const SAME = 1e-4;
/** Where the turns are about equally near, or there is but one, other kinds are not measured by a smaller difference. */
const LEAST_SPREAD = 0.25;

const total = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

type Around = { length: number; near: number | null; similarity: number | null };

/**
 * The dot product is linear: summing similarities equals comparing with the summed vectors. A turn
 * without a vector counts as the usual one: not having been embedded yet says nothing against it.
 * With half of LoCoMo's vectors missing, recall@5 and @10 so fall by 1 and not by 2.6, which would
 * be less than words alone find.
 */
function around(turn: TurnCandidate, usual: number | null, w: RankingWeights): Around {
  const half = (w.neighbours.length - 1) / 2;
  let length = 0;
  let near = 0;
  let similarity: number | null = null;
  for (const neighbour of turn.neighbours) {
    const weight = w.neighbours[neighbour.offset + half] ?? 0;
    length += neighbour.words * weight;
    near += (neighbour.similarity ?? usual ?? 0) * weight;
    if (neighbour.offset === 0) similarity = neighbour.similarity;
  }
  return { length, near: usual === null ? null : near, similarity };
}

/** The mean similarity of what the candidates have vectors for; null without any vector. */
function usualSimilarity(candidates: readonly TurnCandidate[]): number | null {
  let sum = 0;
  let count = 0;
  for (const { neighbours } of candidates)
    for (const { similarity } of neighbours) {
      if (similarity === null) continue;
      sum += similarity;
      count += 1;
    }
  return count > 0 ? sum / count : null;
}

function threadShares({ threads, threadsWith }: RankingStatistics) {
  const rarity = new Map([...threadsWith].map(([place, having]) => [place, idf(threads, having)]));
  const all = total(rarity.values());
  return (terms: readonly number[]): number => {
    let sum = 0;
    for (const place of terms) sum += rarity.get(place) ?? idf(threads, 0);
    return all > 0 ? sum / all : 0;
  };
}

/** Places from 1 in the order of a value; equal ones by their ids, in whatever order they were found. */
function places<Item extends { candidate: TurnCandidate }>(
  items: readonly Item[],
  value: (item: Item) => number | null,
) {
  const having = items.filter((item) => value(item) !== null);
  having.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0) || a.candidate.id - b.candidate.id);
  return new Map(having.map((item, index) => [item, index + 1]));
}

type SegmentOf = (turn: TurnCandidate) => Pick<SegmentSummary, 'similarity'> | null;

/** Similarity of the summaries of the segments around the candidates, 0-1 over them; what has none counts as the usual one. */
function segmentShares(
  candidates: readonly TurnCandidate[],
  segmentOf: SegmentOf,
): (turn: TurnCandidate) => number {
  const known = candidates.flatMap((turn) => segmentOf(turn)?.similarity ?? []);
  if (known.length === 0) return () => 0;
  const lowest = Math.min(...known);
  const spread = Math.max(Math.max(...known) - lowest, SAME);
  const usual = total(known) / known.length;
  return (turn) => ((segmentOf(turn)?.similarity ?? usual) - lowest) / spread;
}

/**
 * Scores the candidates by the query's words and vector, scaled over them; unordered. What needs their texts is added by
 * `scoreTexts`. With `rrf` their places by each count, and nothing else, which would be on another scale.
 */
export function scoreTurns(
  { turns, statistics }: Pick<TurnCandidates, 'turns' | 'statistics'>,
  segmentOf: SegmentOf,
  { weights: w, fusion }: { weights: RankingWeights; fusion: Fusion },
): ScoredTurn[] {
  const usual = usualSimilarity(turns);
  const mean = Math.max(statistics.meanWords, 1) * total(w.neighbours);
  const rarities = new Map(
    [...statistics.turnsWith].map(([place, having]) => [place, idf(statistics.turns, having)]),
  );
  const raw = turns.map((candidate) => {
    const own = around(candidate, usual, w);
    const damping = w.k1 * (1 - w.b + (w.b * own.length) / mean);
    let bm25 = 0;
    for (const [place, tf] of candidate.frequencies) {
      const rarity = rarities.get(place) ?? idf(statistics.turns, 0);
      bm25 += (rarity * tf * (w.k1 + 1)) / (tf + damping);
    }
    const isSeen = candidate.neighbours.some((n) => n.similarity !== null);
    const { near, similarity } = own;
    return { candidate, bm25, near, similarity, seen: isSeen ? near : null };
  });
  const bestWords = Math.max(...raw.map((r) => r.bm25), Number.EPSILON);
  const nears = raw.flatMap((r) => (r.near === null ? [] : [r.near]));
  const lowest = Math.min(...nears);
  const spread = Math.max(Math.max(...nears) - lowest, SAME);
  const wordPlaces = places(raw, (r) => (r.bm25 > 0 ? r.bm25 : null));
  const nearPlaces = places(raw, (r) => r.seen);
  const shareOf = threadShares(statistics);
  const segmentShareOf = segmentShares(turns, segmentOf);
  const isByRanks = fusion === 'rrf';
  return raw.map((r): ScoredTurn => {
    const { candidate } = r;
    const bm25Rank = wordPlaces.get(r) ?? null;
    const vectorRank = nearPlaces.get(r) ?? null;
    const similarityShare = r.near === null ? 0 : (r.near - lowest) / spread;
    // Spelled out: a spread takes several times as long, and there are hundreds.
    const parts = {
      bm25: isByRanks ? reciprocalRank(bm25Rank) : w.bm25 * (r.bm25 / bestWords),
      vector: isByRanks ? reciprocalRank(vectorRank) : w.vector * similarityShare,
      segmentSummary: isByRanks ? 0 : w.segmentSummary * segmentShareOf(candidate),
      length: isByRanks ? 0 : w.length * Math.min(candidate.wordCount / w.longWords, 1),
      thread: isByRanks ? 0 : w.thread * shareOf(candidate.threadTerms),
      speaker: 0,
      question: 0,
      reply: 0,
      time: 0,
      date: 0,
      range: 0,
    };
    return {
      kind: 'TURN',
      candidate,
      score: parts.bm25 + parts.vector + parts.segmentSummary + parts.length + parts.thread,
      parts,
      bm25: r.bm25,
      bm25Rank,
      similarity: r.similarity,
      nearbySimilarity: r.seen,
      vectorRank,
      retrievability: null,
      forgetting: 1,
      kindWeight: 1,
    };
  });
}

/** How the scores of all turns that were found are scaled, for measuring other kinds alike; null without turns. */
export function scaleOf(
  scored: readonly Pick<ScoredTurn, 'bm25' | 'nearbySimilarity'>[],
  query: RankingQuery,
  statistics: RankingStatistics,
  w: RankingWeights,
): Scale | null {
  if (scored.length === 0) return null;
  const known = [...statistics.turnsWith.values()];
  const missing = query.terms.length - known.length;
  const rarity = total(known.map((having) => idf(statistics.turns, having)));
  const ideal = (rarity + missing * idf(statistics.turns, 0)) * (w.k1 + 1);
  const near = scored.flatMap(({ nearbySimilarity }) => nearbySimilarity ?? []);
  const lowest = Math.min(...near);
  return {
    words: ideal > 0 ? Math.max(...scored.map(({ bm25 }) => bm25)) / ideal : 0,
    ...(near.length > 0
      ? { lowest, spread: Math.max(Math.max(...near) - lowest, LEAST_SPREAD) }
      : { lowest: 0, spread: Number.POSITIVE_INFINITY }),
  };
}
