import type { Scale } from './memory-ranking.ts';
import type {
  Placed,
  RankingPlace,
  RankingQuery,
  RankingStatistics,
  RankingWeights,
} from './ranking.ts';

/** Robertson-Spärck Jones idf, never negative: ln(1 + (N − n + ½) / (n + ½)). */
export const idf = (all: number, having: number): number =>
  Math.log(1 + Math.max(all - having + 0.5, 0.5) / (having + 0.5));

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
function around(turn: RankingPlace, usual: number | null, w: RankingWeights): Around {
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
function usualSimilarity(candidates: readonly RankingPlace[]): number | null {
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

function places<Item>(items: readonly Item[], value: (item: Item) => number | null) {
  const having = items.filter((item) => value(item) !== null);
  having.sort((a, b) => (value(b) ?? 0) - (value(a) ?? 0));
  return new Map(having.map((item, index) => [item, index + 1]));
}

/** Nearness of the segments around the candidates, 0-1 over them; what has none counts as the usual one. */
function toldShares(candidates: readonly RankingPlace[]): (turn: RankingPlace) => number {
  const known = candidates.flatMap(({ toldSimilarity }) => toldSimilarity ?? []);
  if (known.length === 0) return () => 0;
  const lowest = Math.min(...known);
  const spread = Math.max(Math.max(...known) - lowest, Number.EPSILON);
  const usual = total(known) / known.length;
  return ({ toldSimilarity }) => ((toldSimilarity ?? usual) - lowest) / spread;
}

/** What the candidates have by words and meaning, scaled over them; unordered. */
export function placeTurns<Candidate extends RankingPlace>(
  candidates: readonly Candidate[],
  statistics: RankingStatistics,
  w: RankingWeights,
): Placed<Candidate>[] {
  const usual = usualSimilarity(candidates);
  const mean = Math.max(statistics.meanWords, 1) * total(w.neighbours);
  const rarities = new Map(
    [...statistics.turnsWith].map(([place, having]) => [place, idf(statistics.turns, having)]),
  );
  const raw = candidates.map((candidate) => {
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
  const spread = Math.max(Math.max(...nears) - lowest, Number.EPSILON);
  const wordPlaces = places(raw, (r) => (r.bm25 > 0 ? r.bm25 : null));
  const nearPlaces = places(raw, (r) => r.seen);
  const shareOf = threadShares(statistics);
  const toldShareOf = toldShares(candidates);
  return raw.map((r) => {
    const bm25Share = r.bm25 / bestWords;
    const similarityShare = r.near === null ? 0 : (r.near - lowest) / spread;
    return {
      candidate: r.candidate,
      parts: {
        bm25: w.bm25 * bm25Share,
        vector: w.vector * similarityShare,
        told: w.told * toldShareOf(r.candidate),
        length: w.length * Math.min(r.candidate.wordCount / w.longWords, 1),
        thread: w.thread * shareOf(r.candidate.threadTerms),
      },
      bm25: r.bm25,
      bm25Share,
      similarity: r.similarity,
      nearbySimilarity: r.seen,
      similarityShare,
      bm25Rank: wordPlaces.get(r) ?? null,
      vectorRank: nearPlaces.get(r) ?? null,
    };
  });
}

/** How the scores of all placed turns are scaled, for measuring other kinds alike; null without turns. */
export function scaleOf(
  placed: readonly Pick<Placed<unknown>, 'bm25' | 'nearbySimilarity'>[],
  query: RankingQuery,
  statistics: RankingStatistics,
  w: RankingWeights,
): Scale | null {
  if (placed.length === 0) return null;
  const known = [...statistics.turnsWith.values()];
  const missing = query.terms.length - known.length;
  const rarity = total(known.map((having) => idf(statistics.turns, having)));
  const ideal = (rarity + missing * idf(statistics.turns, 0)) * (w.k1 + 1);
  const near = placed.flatMap(({ nearbySimilarity }) => nearbySimilarity ?? []);
  const lowest = Math.min(...near);
  return {
    words: ideal > 0 ? Math.max(...placed.map(({ bm25 }) => bm25)) / ideal : 0,
    ...(near.length > 0
      ? { lowest, spread: Math.max(Math.max(...near) - lowest, Number.EPSILON) }
      : { lowest: 0, spread: Number.POSITIVE_INFINITY }),
  };
}
