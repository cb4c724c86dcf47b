import type { Neighbour, RankingStatistics, TurnCandidate } from './candidate.ts';
import { idf } from './idf.ts';
import type { RankingWeights } from './ranking.ts';
import type { RankingCues } from './ranking-cues.ts';
import { rowsAround, type TurnColumns } from './turn-columns.ts';
import type { Nearness } from './turn-vectors.ts';

/** A query against all turns of a memory. It must be processed synchronously, because the columns may grow. */
export type TurnQuery = {
  columns: TurnColumns;
  /** By row: whether a turn may be found; null = all. The words of others still count for their neighbours. */
  allowed: Uint8Array | null;
  near: Nearness;
  /** The cues of the texts, by row; null if they have not been read. */
  cues: readonly RankingCues[] | null;
  /** The terms that occur, with their index in the query, the turns and their frequencies there. */
  postings: readonly Posting[];
  turns: number;
  threads: number;
  meanWords: number;
};

type Posting = {
  place: number;
  turnIds: readonly number[];
  frequencies: readonly number[];
};

/** A term that is searched, with the rows where it occurs and its frequency in each of them. */
type Used = { place: number; rows: number[]; frequencies: number[] };

/**
 * Finds the candidates among all turns: the best by BM25 over a turn and its neighbours, and the nearest by vector. The
 * statement for large memories (db/search/search-sql.ts) finds the same ones by the same rules, including ties.
 */
export function selectTurns(
  query: TurnQuery,
  w: RankingWeights,
): { turns: TurnCandidate[]; statistics: RankingStatistics } {
  const { columns } = query;
  const used = usedTerms(query, w);
  const worded = best(query, scoresByWords(query, used, w), {
    most: w.candidates,
    ties: 'IN_THREAD',
  });
  const similarities = query.near.nearest(w.candidates, query.allowed);
  const similar = best(query, similarities, { most: w.candidates, ties: 'ID' });

  const { threadsWith, termsOfThread } = threadsOf(columns, used);
  const rows = [...new Set([...worded, ...similar])];
  const frequencies = frequenciesIn(columns, rows, used, w);
  const turns = rows.map((row, at): TurnCandidate => {
    const threadId = columns.threadIds[row] as number;
    return {
      kind: 'TURN',
      id: columns.ids[row] as number,
      threadId,
      number: columns.numbers[row] as number,
      wordCount: columns.words[row] as number,
      frequencies: frequencies[at] as Map<number, number>,
      threadTerms: termsOfThread.get(threadId) ?? [],
      neighbours: neighboursOf(query, row, w),
      cues: query.cues?.[row] ?? null,
      content: null,
    };
  });
  const statistics = {
    turns: query.turns,
    threads: query.threads,
    meanWords: query.meanWords,
    turnsWith: new Map(used.map(({ place, rows }) => [place, rows.length])),
    threadsWith,
  };
  return { turns, statistics };
}

/** The terms to search: from the rarest on, without common terms if there are rarer ones, until the budget is spent. */
function usedTerms({ columns, postings, turns }: TurnQuery, w: RankingWeights): Used[] {
  const byRarity = [...postings].sort(
    (a, b) => a.turnIds.length - b.turnIds.length || a.place - b.place,
  );
  const least = byRarity[0]?.turnIds.length ?? 0;
  let rarer = 0;
  const used = byRarity.filter(({ turnIds: { length } }) => {
    const before = rarer;
    rarer += length;
    return (length <= w.commonShare * turns || length === least) && before < w.postingsBudget;
  });
  return used.map(({ place, turnIds, frequencies }) => {
    const found: Used = { place, rows: [], frequencies: [] };
    for (let at = 0; at < turnIds.length; at += 1) {
      const row = columns.rowOf.get(turnIds[at] as number);
      if (row === undefined) continue;
      found.rows.push(row);
      found.frequencies.push(frequencies[at] as number);
    }
    return found;
  });
}

/** How many threads each term occurs in, by its place, and the terms of each thread. */
function threadsOf({ threadIds }: TurnColumns, used: readonly Used[]) {
  const threadsWith = new Map<number, number>();
  const termsOfThread = new Map<number, number[]>();
  for (const { place, rows } of used) {
    let threads = 0;
    for (const row of rows) {
      const thread = threadIds[row] as number;
      const terms = termsOfThread.get(thread);
      if (terms?.at(-1) === place) continue;
      threads += 1;
      if (terms) terms.push(place);
      else termsOfThread.set(thread, [place]);
    }
    threadsWith.set(place, threads);
  }
  return { threadsWith, termsOfThread };
}

/** Calls `add` for each turn in or beside which a term occurs, with its share of one occurrence: the turn's own, and its neighbours'. */
function spread(
  columns: TurnColumns,
  { rows, frequencies }: Used,
  { neighbours }: RankingWeights,
  add: (row: number, frequency: number) => void,
): void {
  const around = new Int32Array(neighbours.length);
  const last = neighbours.length - 1;
  for (let index = 0; index < rows.length; index += 1) {
    rowsAround(columns, rows[index] as number, around);
    for (let at = 0; at <= last; at += 1) {
      const row = around[at] as number;
      // The turn at the place `at` has this one at the mirrored place.
      if (row !== -1) add(row, (frequencies[index] as number) * (neighbours[last - at] as number));
    }
  }
}

/** BM25 by row, ignoring lengths; NaN if no term is in it or beside it. Single precision, so that equal sums are ties. */
function scoresByWords(
  { columns, turns }: TurnQuery,
  used: readonly Used[],
  w: RankingWeights,
): Float32Array {
  const scores = new Float64Array(columns.rows).fill(Number.NaN);
  const frequencies = new Float64Array(columns.rows);
  for (const term of used) {
    const touched: number[] = [];
    spread(columns, term, w, (row, frequency) => {
      if (frequencies[row] === 0) touched.push(row);
      frequencies[row] = (frequencies[row] as number) + frequency;
    });
    const rarity = idf(turns, term.rows.length);
    for (const row of touched) {
      const tf = frequencies[row] as number;
      scores[row] = ((scores[row] as number) || 0) + (rarity * tf) / (tf + w.k1);
      frequencies[row] = 0;
    }
  }
  return Float32Array.from(scores);
}

/** The rows with the highest values; ties are ordered by thread and number, or by id. */
function best(
  { columns, allowed }: TurnQuery,
  values: Float32Array,
  { most, ties }: { most: number; ties: 'IN_THREAD' | 'ID' },
): number[] {
  const rows: number[] = [];
  for (let row = 0; row < columns.rows; row += 1) {
    if (!Number.isNaN(values[row]) && (allowed === null || allowed[row] === 1)) rows.push(row);
  }
  const least = leastOf(rows, values, most);
  const { ids, threadIds, numbers } = columns;
  const keys = ties === 'ID' ? [ids] : [threadIds, numbers];
  return rows
    .filter((row) => (values[row] as number) >= least)
    .sort((a, b) => {
      let order = (values[b] as number) - (values[a] as number);
      for (const key of keys) order ||= (key[a] as number) - (key[b] as number);
      return order;
    })
    .slice(0, most);
}

/** The lowest of the `most` highest values; rows below it need not be sorted. */
function leastOf(rows: readonly number[], values: Float32Array, most: number): number {
  if (rows.length <= most) return Number.NEGATIVE_INFINITY;
  const sorted = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) sorted[at] = values[rows[at] as number] as number;
  return sorted.sort()[rows.length - most] as number;
}

/** The frequencies of the terms in some turns plus, weighted, in their neighbours: for each turn by the place of the term. */
function frequenciesIn(
  columns: TurnColumns,
  turns: readonly number[],
  used: readonly Used[],
  w: RankingWeights,
): Map<number, number>[] {
  const found = turns.map(() => new Map<number, number>());
  const places = new Int32Array(columns.rows).fill(-1);
  for (let at = 0; at < turns.length; at += 1) places[turns[at] as number] = at;
  for (const term of used)
    spread(columns, term, w, (row, frequency) => {
      const own = found[places[row] as number];
      own?.set(term.place, (own.get(term.place) ?? 0) + frequency);
    });
  return found;
}

function neighboursOf({ columns, near }: TurnQuery, row: number, w: RankingWeights): Neighbour[] {
  const around = new Int32Array(w.neighbours.length);
  rowsAround(columns, row, around);
  const half = (around.length - 1) / 2;
  const found: Neighbour[] = [];
  for (let at = 0; at < around.length; at += 1) {
    const other = around[at] as number;
    if (other === -1) continue;
    const words = columns.words[other] as number;
    found.push({ offset: at - half, words, similarity: near.of(other) });
  }
  return found;
}
