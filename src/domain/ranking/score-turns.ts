import type { SegmentOf } from '../episodes/segment-summary.ts';
import type { RankingStatistics, TurnCandidate, TurnCandidates } from './candidate.ts';
import { idf } from './idf.ts';
import type { Scale } from './memory-ranking.ts';
import type { RankingQuery, RankingWeights } from './ranking.ts';
import { type Fusion, reciprocalRank, type ScoredTurn, SEARCH_PARTS } from './scored.ts';

/** Smaller differences between similarities are not significant, since stored vectors have half precision. */
const SAME = 1e-4;
/** The smallest spread by which other kinds are scaled, if all turns are about equally similar or there is only one. */
const LEAST_SPREAD = 0.25;

const total = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

type Around = { length: number; near: number | null; similarity: number | null };

/**
 * Length and similarity of a turn with its neighbours. The dot product is linear, so summing similarities equals comparing
 * with the summed vectors. A turn without a vector counts as average, since it is only not embedded yet: with half of
 * LoCoMo's vectors missing, recall@5 and @10 then fall by 1 instead of 2.6, which would be worse than words only.
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

/** The mean similarity of the candidates and neighbours that have vectors; null if none has. */
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

/** The rank of each item by a value, from 1; null without a value. Ties are ordered by id, independent of the order in which they were found. */
function places<Item extends { candidate: TurnCandidate }>(
  items: readonly Item[],
  value: (item: Item) => number | null,
): (number | null)[] {
  const having = items.flatMap((item, at) => {
    const own = value(item);
    return own === null ? [] : [{ at, own, id: item.candidate.id }];
  });
  having.sort((a, b) => b.own - a.own || a.id - b.id);
  const ranks = new Array<number | null>(items.length).fill(null);
  for (const [index, { at }] of having.entries()) ranks[at] = index + 1;
  return ranks;
}

/** The similarity of the candidates' segment summaries, scaled to 0-1 over all of them; without a summary, the mean. */
function segmentShares(
  candidates: readonly TurnCandidate[],
  segmentOf: SegmentOf,
): (turn: TurnCandidate) => number {
  const similarities = candidates.flatMap((turn) => segmentOf(turn)?.similarity ?? []);
  if (similarities.length === 0) return () => 0;
  const lowest = Math.min(...similarities);
  const spread = Math.max(Math.max(...similarities) - lowest, SAME);
  const usual = total(similarities) / similarities.length;
  return (turn) => ((segmentOf(turn)?.similarity ?? usual) - lowest) / spread;
}

function summed(parts: ScoredTurn['parts']): number {
  let sum = 0;
  for (const name of SEARCH_PARTS) sum += parts[name];
  return sum;
}

/**
 * Scores the candidates by the query's words and vector, scaled over all of them; unordered. `scoreTexts` adds the parts
 * that need their texts. With `rrf` only the ranks count, because the other parts are on another scale.
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
    const { length, near, similarity } = around(candidate, usual, w);
    const damping = w.k1 * (1 - w.b + (w.b * length) / mean);
    let bm25 = 0;
    for (const [place, tf] of candidate.frequencies) {
      const rarity = rarities.get(place) ?? idf(statistics.turns, 0);
      bm25 += (rarity * tf * (w.k1 + 1)) / (tf + damping);
    }
    const isSeen = candidate.neighbours.some((n) => n.similarity !== null);
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
  return raw.map((r, at): ScoredTurn => {
    const { candidate } = r;
    const bm25Rank = wordPlaces[at] ?? null;
    const vectorRank = nearPlaces[at] ?? null;
    const similarityShare = r.near === null ? 0 : (r.near - lowest) / spread;
    // Listed field by field, because a spread takes several times as long and there are hundreds.
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
      score: summed(parts),
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

/** The scale of the turns that were found, for scoring other kinds on it; null without turns. */
export function scaleOf(
  scored: readonly Pick<ScoredTurn, 'bm25' | 'nearbySimilarity'>[],
  query: RankingQuery,
  statistics: RankingStatistics,
  w: RankingWeights,
): Scale | null {
  if (scored.length === 0) return null;
  const counts = [...statistics.turnsWith.values()];
  const missing = query.terms.length - counts.length;
  const rarity = total(counts.map((having) => idf(statistics.turns, having)));
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
