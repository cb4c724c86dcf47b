import type { Neighbour, RankingPlace, RankingStatistics, RankingWeights } from './ranking.ts';

/** All turns of a small memory as columns, by thread and number; and where the query's terms occur. */
export type TurnColumns = {
  ids: readonly number[];
  threadIds: readonly number[];
  numbers: readonly number[];
  words: readonly number[];
  /** Whether a turn may be found; null = all may. A turn that may not still lends its words to others. */
  allowed: readonly number[] | null;
  /** Cosine of the query by turn id. */
  similarities: ReadonlyMap<number, number>;
  /** Of the terms that occur at all: their place in the query, and the turns with how often. */
  postings: readonly {
    place: number;
    turnIds: readonly number[];
    frequencies: readonly number[];
  }[];
  turns: number;
  threads: number;
  meanWords: number;
};

/** A turn that may answer, without its text. */
export type SelectedTurn = RankingPlace & { id: number; threadId: number; number: number };

type Posting = TurnColumns['postings'][number];

/**
 * The candidates among all turns: the best by BM25 over a turn and its neighbours, and the nearest by vector. The same that
 * the search statement of large memories finds (db/search-sql.ts), by the same rules.
 */
export function selectTurns(
  columns: TurnColumns,
  w: RankingWeights,
): { turns: SelectedTurn[]; statistics: RankingStatistics } {
  const { ids, threadIds, similarities } = columns;
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const used = usedPostings(columns, w);
  const around = lend(columns, rowOf, used, w);
  const worded = bestByWords(columns, around, used, w);
  const near = ids
    .map((id, row) => ({ row, similarity: similarities.get(id) ?? null }))
    .filter(({ row, similarity }) => similarity !== null && isAllowed(columns, row))
    .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0))
    .slice(0, w.candidates)
    .map(({ row }) => row);

  const threadsWith = new Map<number, Set<number>>();
  const termsOf = new Map<number, number[]>();
  for (const { place, turnIds } of used) {
    const threads = new Set(turnIds.map((id) => threadIds[rowOf.get(id) ?? -1] ?? 0));
    threadsWith.set(place, threads);
    for (const thread of threads) termsOf.set(thread, [...(termsOf.get(thread) ?? []), place]);
  }
  const turns = [...new Set([...worded, ...near])].map((row) => ({
    id: ids[row] ?? 0,
    threadId: threadIds[row] ?? 0,
    number: columns.numbers[row] ?? 0,
    wordCount: columns.words[row] ?? 0,
    frequencies: around.get(row) ?? new Map(),
    threadTerms: termsOf.get(threadIds[row] ?? 0) ?? [],
    neighbours: neighboursOf(columns, row, w),
  }));
  const statistics = {
    turns: columns.turns,
    threads: columns.threads,
    meanWords: columns.meanWords,
    turnsWith: new Map(used.map(({ place, turnIds }) => [place, turnIds.length])),
    threadsWith: new Map([...threadsWith].map(([place, threads]) => [place, threads.size])),
  };
  return { turns, statistics };
}

const isAllowed = ({ allowed }: TurnColumns, row: number): boolean =>
  allowed === null || allowed[row] === 1;

/** From the rarest on, without common terms where a rarer one is there, until the budget is spent. */
function usedPostings({ postings, turns }: TurnColumns, w: RankingWeights): Posting[] {
  const byRarity = [...postings].sort(
    (a, b) => a.turnIds.length - b.turnIds.length || a.place - b.place,
  );
  const least = byRarity[0]?.turnIds.length ?? 0;
  let rarer = 0;
  return byRarity.filter(({ turnIds: { length } }) => {
    const before = rarer;
    rarer += length;
    return (length <= w.commonShare * turns || length === least) && before < w.postingsBudget;
  });
}

/** The rows around a row in its thread: those that lend to it, and to which it lends. */
function rowAt({ threadIds }: TurnColumns, row: number, offset: number): number | null {
  const other = row + offset;
  return threadIds[other] !== undefined && threadIds[other] === threadIds[row] ? other : null;
}

/** By row the weighted frequency of each term in the turn and around it. */
function lend(
  columns: TurnColumns,
  rowOf: ReadonlyMap<number, number>,
  used: readonly Posting[],
  w: RankingWeights,
): Map<number, Map<number, number>> {
  const around = new Map<number, Map<number, number>>();
  const give = (taker: number, place: number, frequency: number) => {
    const own = around.get(taker) ?? new Map<number, number>();
    own.set(place, (own.get(place) ?? 0) + frequency);
    around.set(taker, own);
  };
  const half = (w.neighbours.length - 1) / 2;
  for (const { place, turnIds, frequencies } of used) {
    for (const [index, id] of turnIds.entries()) {
      const row = rowOf.get(id);
      for (const [at, weight] of row === undefined ? [] : w.neighbours.entries()) {
        const taker = rowAt(columns, row as number, half - at);
        if (taker !== null) give(taker, place, (frequencies[index] ?? 0) * weight);
      }
    }
  }
  return around;
}

function bestByWords(
  columns: TurnColumns,
  around: ReadonlyMap<number, ReadonlyMap<number, number>>,
  used: readonly Posting[],
  w: RankingWeights,
): number[] {
  const { turns } = columns;
  const idf = new Map(
    used.map(({ place, turnIds: { length } }) => [
      place,
      Math.log(1 + Math.max(turns - length + 0.5, 0.5) / (length + 0.5)),
    ]),
  );
  const scored: { row: number; score: number }[] = [];
  for (const [row, terms] of around) {
    if (!isAllowed(columns, row)) continue;
    let score = 0;
    for (const [place, tf] of terms) score += ((idf.get(place) ?? 0) * tf) / (tf + w.k1);
    scored.push({ row, score });
  }
  scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, w.candidates).map(({ row }) => row);
}

function neighboursOf(columns: TurnColumns, row: number, w: RankingWeights): Neighbour[] {
  const half = (w.neighbours.length - 1) / 2;
  const found: Neighbour[] = [];
  for (let offset = -half; offset <= half; offset += 1) {
    const other = rowAt(columns, row, offset);
    if (other === null) continue;
    const similarity = columns.similarities.get(columns.ids[other] ?? 0) ?? null;
    found.push({ offset, words: columns.words[other] ?? 0, similarity });
  }
  return found;
}
