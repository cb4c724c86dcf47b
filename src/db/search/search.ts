import type {
  Neighbour,
  RankingCandidate,
  RankingStatistics,
  RankingWeights,
} from '../../domain/ranking/ranking.ts';
import { marksOf } from '../../domain/ranking/ranking-marks.ts';
import { known, numbers } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { queryParameter } from '../vectors/vectors.ts';
import { NEAREST_GIVEN, searchSql } from './search-sql.ts';

const FILTER = `
  AND ($11::timestamptz IS NULL OR occurred_at >= $11)
  AND ($12::timestamptz IS NULL OR occurred_at < $12)
  AND ($13::text[] IS NULL OR channel = ANY ($13))
  AND ($14::int[] IS NULL OR thread_id = ANY ($14))
  AND ($15::text[] IS NULL OR speaker = ANY ($15))`;

/** Parameters $1-$10, see search-sql.ts. */
const ANY_TURN: Statement = { name: 'search-turns', text: searchSql('') };
/** The same with $11 from, $12 to, $13 channels, $14 threads, $15 speakers; null = any. */
const FILTERED: Statement = { name: 'search-turns-filtered', text: searchSql(FILTER) };

/** The same as the first with $11 the nearest turns. */
const GIVEN: Statement = { name: 'search-turns-given', text: searchSql('', NEAREST_GIVEN) };

/** Restricts the turns found, not the neighbours that lend them words. `to` is exclusive. */
export type TurnFilter = {
  from?: Date;
  to?: Date;
  channels?: string[];
  threadIds?: number[];
  speakers?: string[];
};

export type TurnSearch = {
  userId: string;
  /** From `queryTermsOf`; may be empty when a vector is given. */
  terms: readonly string[];
  /** Unit length, by the embedder named; null searches by words alone. */
  vector: ArrayLike<number> | null;
  embedder: string;
  weights: RankingWeights;
  filter?: TurnFilter;
  /** The turns nearest by vector where they are known already; without a filter. */
  nearest?: readonly number[];
};

/** What a turn says. `toolCalls`: JSON text, unparsed. */
export type SaidTurn = {
  id: number;
  role: string;
  speaker: string | null;
  channel: string;
  text: string;
  toolCalls: string | null;
  occurredAt: Date;
  recordedAt: Date;
};

/** A turn that may answer, with what the ranking needs. */
export type FoundTurn = RankingCandidate & {
  id: number;
  threadId: number;
  number: number;
  /** Null where it has not been read. */
  said: SaidTurn | null;
};

type Row = {
  id: number;
  thread_id: number;
  number: number;
  role: string;
  speaker: string | null;
  channel: string;
  text: string;
  occurred_at: Date;
  recorded_at: Date;
  tool_calls: string | null;
  is_cut: boolean;
  word_count: number;
  places: string | null;
  frequencies: string | null;
  thread_places: string | null;
  offsets: string;
  words: string;
  similarities: string;
  turns: number;
  mean_words: number;
  threads: number;
  time_zone: string | null;
  embedded: boolean;
  df_places: string;
  dfs: string;
  thread_dfs: string;
};

function pairs(keys: string | null, values: string | null): Map<number, number> {
  const found = known(values);
  return new Map(known(keys).map((key, index) => [key, found[index] ?? 0]));
}

function neighboursOf(row: Row): Neighbour[] {
  const words = known(row.words);
  const similarities = numbers(row.similarities);
  return known(row.offsets).map((offset, index) => ({
    offset,
    words: words[index] ?? 0,
    similarity: similarities[index] ?? null,
  }));
}

function found(row: Row): FoundTurn {
  const { id, role, speaker, channel, text } = row;
  const said = {
    id,
    role,
    speaker,
    channel,
    text,
    toolCalls: row.tool_calls,
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
  };
  return {
    id,
    threadId: row.thread_id,
    number: row.number,
    speaker,
    occurredAt: said.occurredAt,
    ...marksOf(text, role),
    said: row.is_cut ? null : said,
    wordCount: row.word_count,
    frequencies: pairs(row.places, row.frequencies),
    threadTerms: known(row.thread_places),
    neighbours: neighboursOf(row),
  };
}

function values(search: TurnSearch): unknown[] {
  const { userId, terms, vector, embedder, weights: w, filter, nearest } = search;
  const each = (w.neighbours.length - 1) / 2;
  const base = [
    userId,
    terms,
    queryParameter(vector),
    embedder,
    each,
    w.neighbours,
    w.k1,
    w.candidates,
  ];
  const bounds = [w.commonShare, w.postingsBudget];
  if (nearest) return [...base, ...bounds, nearest];
  if (!filter) return [...base, ...bounds];
  const { from = null, to = null, channels = null, threadIds = null, speakers = null } = filter;
  return [...base, ...bounds, from, to, channels, threadIds, speakers];
}

/**
 * The turns of a user that may answer a query: the best by BM25 over a turn and its neighbours and
 * the nearest by vector, unordered, with the statistics and the user's time zone to rank them by.
 * One round trip. `embedded`: whether the embedder has come to all turns; null when none is found.
 */
export async function searchTurns(
  tx: Tx,
  search: TurnSearch,
): Promise<{
  turns: FoundTurn[];
  statistics: RankingStatistics;
  timeZone: string | null;
  embedded: boolean | null;
}> {
  const unfiltered = search.nearest ? GIVEN : ANY_TURN;
  const rows = await tx.query<Row>(search.filter ? FILTERED : unfiltered, values(search));
  const [first] = rows;
  const statistics = {
    turns: first?.turns ?? 0,
    threads: first?.threads ?? 0,
    meanWords: first?.mean_words ?? 0,
    turnsWith: pairs(first?.df_places ?? null, first?.dfs ?? null),
    threadsWith: pairs(first?.df_places ?? null, first?.thread_dfs ?? null),
  };
  const timeZone = first?.time_zone ?? null;
  return { turns: rows.map(found), statistics, timeZone, embedded: first?.embedded ?? null };
}
