import type { Neighbour, RankingStatistics, TurnCandidate } from './candidate.ts';
import { idf } from './idf.ts';
import type { RankingWeights } from './ranking.ts';
import type { RankingMarks } from './ranking-marks.ts';
import { rowAt, type TurnColumns } from './turn-columns.ts';
import type { Nearness } from './turn-vectors.ts';

/** A query against all turns of a memory. The columns may grow: it is worked off at once. */
export type TurnQuery = {
  columns: TurnColumns;
  /** By row: whether a turn may be found; null = all may. A turn that may not still lends its words to others. */
  allowed: Uint8Array | null;
  near: Nearness;
  /** By row, what the ranking reads in the texts; null where they have not been read. */
  marks: readonly RankingMarks[] | null;
  /** Of the terms that occur at all: their place in the query, and the turns with how often. */
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

/** A term that is searched, with the rows where it is and how often by row. */
type Used = { place: number; rows: number[]; frequencies: Float32Array };

/**
 * The candidates among all turns: the best by BM25 over a turn and its neighbours, and the nearest by vector. The same that
 * the search statement of large memories finds (db/search/search-sql.ts), by the same rules, ties included.
 */
export function selectTurns(
  query: TurnQuery,
  w: RankingWeights,
): { turns: TurnCandidate[]; statistics: RankingStatistics } {
  const { columns } = query;
  const used = usedTerms(query, w);
  const worded = best(query, scoresByWords(query, used, w), { most: w.candidates, ties: 'PLACE' });
  const nearest = query.near.nearest(w.candidates);
  const near = best(query, nearest, { most: w.candidates, ties: 'ID' });

  const threadsWith = new Map<number, number>();
  const termsOf = new Map<number, number[]>();
  for (const { place, rows } of used) {
    const threads = new Set(rows.map((row) => columns.threadIds[row] as number));
    threadsWith.set(place, threads.size);
    for (const thread of threads) {
      const terms = termsOf.get(thread);
      if (terms) terms.push(place);
      else termsOf.set(thread, [place]);
    }
  }
  const turns = [...new Set([...worded, ...near])].map((row): TurnCandidate => {
    const threadId = columns.threadIds[row] as number;
    return {
      kind: 'TURN',
      id: columns.ids[row] as number,
      threadId,
      number: columns.numbers[row] as number,
      wordCount: columns.words[row] as number,
      frequencies: frequenciesOf(columns, row, used, w),
      threadTerms: termsOf.get(threadId) ?? [],
      neighbours: neighboursOf(query, row, w),
      marks: query.marks?.[row] ?? null,
      said: null,
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

/** From the rarest on, without common terms where a rarer one is there, until the budget is spent. */
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
    const byRow = new Float32Array(columns.rows);
    const rows: number[] = [];
    for (const [index, id] of turnIds.entries()) {
      const row = columns.rowOf.get(id);
      if (row === undefined) continue;
      rows.push(row);
      byRow[row] = frequencies[index] ?? 0;
    }
    return { place, rows, frequencies: byRow };
  });
}

const halfOf = (w: RankingWeights): number => (w.neighbours.length - 1) / 2;

/** How often a term is in a turn and, weighted, around it. */
function frequencyAround(
  columns: TurnColumns,
  row: number,
  frequencies: Float32Array,
  w: RankingWeights,
): number {
  const half = halfOf(w);
  let sum = 0;
  for (const [at, weight] of w.neighbours.entries()) {
    const lender = rowAt(columns, row, at - half);
    if (lender !== -1) sum += (frequencies[lender] as number) * weight;
  }
  return sum;
}

/** BM25 by row, without the length of a turn; NaN where none of the terms is around. In single precision: sums tie there. */
function scoresByWords(
  { columns, turns }: TurnQuery,
  used: readonly Used[],
  w: RankingWeights,
): Float32Array {
  const half = halfOf(w);
  const scores = new Float64Array(columns.rows).fill(Number.NaN);
  const seen = new Int32Array(columns.rows);
  for (const [index, { rows, frequencies }] of used.entries()) {
    const rarity = idf(turns, rows.length);
    for (const row of rows) {
      for (let offset = -half; offset <= half; offset += 1) {
        const taker = rowAt(columns, row, offset);
        if (taker === -1 || seen[taker] === index + 1) continue;
        seen[taker] = index + 1;
        const tf = frequencyAround(columns, taker, frequencies, w);
        scores[taker] = ((scores[taker] as number) || 0) + (rarity * tf) / (tf + w.k1);
      }
    }
  }
  return Float32Array.from(scores);
}

/** The rows of the highest values; of equal ones those that come first by thread and number, or by id. */
function best(
  { columns, allowed }: TurnQuery,
  values: Float32Array,
  { most, ties }: { most: number; ties: 'PLACE' | 'ID' },
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

/** The least of the highest values: those below need not be put in order. */
function leastOf(rows: readonly number[], values: Float32Array, most: number): number {
  if (rows.length <= most) return Number.NEGATIVE_INFINITY;
  const own = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) own[at] = values[rows[at] as number] as number;
  return own.sort()[rows.length - most] as number;
}

function frequenciesOf(
  columns: TurnColumns,
  row: number,
  used: readonly Used[],
  w: RankingWeights,
): Map<number, number> {
  const found = new Map<number, number>();
  for (const { place, frequencies } of used) {
    const frequency = frequencyAround(columns, row, frequencies, w);
    if (frequency > 0) found.set(place, frequency);
  }
  return found;
}

function neighboursOf({ columns, near }: TurnQuery, row: number, w: RankingWeights): Neighbour[] {
  const half = halfOf(w);
  const found: Neighbour[] = [];
  for (let offset = -half; offset <= half; offset += 1) {
    const other = rowAt(columns, row, offset);
    if (other === -1) continue;
    found.push({ offset, words: columns.words[other] as number, similarity: near.of(other) });
  }
  return found;
}
