import type { Neighbour, RankingStatistics, TurnCandidate } from './candidate.ts';
import { idf } from './idf.ts';
import type { RankingWeights } from './ranking.ts';
import type { RankingCues } from './ranking-cues.ts';
import { rowAt, type TurnColumns } from './turn-columns.ts';
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

/** A term that is searched, with the rows where it occurs and its frequency by row. */
type Used = { place: number; rows: number[]; frequencies: Float32Array };

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

  const threadsWith = new Map<number, number>();
  const termsOfThread = new Map<number, number[]>();
  for (const { place, rows } of used) {
    const threads = new Set(rows.map((row) => columns.threadIds[row] as number));
    threadsWith.set(place, threads.size);
    for (const thread of threads) {
      const terms = termsOfThread.get(thread);
      if (terms) terms.push(place);
      else termsOfThread.set(thread, [place]);
    }
  }
  const turns = [...new Set([...worded, ...similar])].map((row): TurnCandidate => {
    const threadId = columns.threadIds[row] as number;
    return {
      kind: 'TURN',
      id: columns.ids[row] as number,
      threadId,
      number: columns.numbers[row] as number,
      wordCount: columns.words[row] as number,
      frequencies: frequenciesOf(columns, row, used, w),
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

/** The frequency of a term in a turn plus, weighted, in its neighbours. */
function frequencyAround(
  columns: TurnColumns,
  row: number,
  frequencies: Float32Array,
  w: RankingWeights,
): number {
  const half = halfOf(w);
  let sum = 0;
  for (const [at, weight] of w.neighbours.entries()) {
    const neighbour = rowAt(columns, row, at - half);
    if (neighbour !== -1) sum += (frequencies[neighbour] as number) * weight;
  }
  return sum;
}

/** BM25 by row, ignoring lengths; NaN if no term is in it or beside it. Single precision, so that equal sums are ties. */
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
        const around = rowAt(columns, row, offset);
        if (around === -1 || seen[around] === index + 1) continue;
        seen[around] = index + 1;
        const tf = frequencyAround(columns, around, frequencies, w);
        scores[around] = ((scores[around] as number) || 0) + (rarity * tf) / (tf + w.k1);
      }
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
