import type { Neighbour, TurnCandidate, TurnCandidates } from '../../domain/ranking/candidate.ts';
import type { RankingWeights } from '../../domain/ranking/ranking.ts';
import { readCues } from '../../domain/ranking/ranking-cues.ts';
import { parseArray, parseNumbers } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { queryParameter } from '../core/vectors.ts';
import { NEAREST_GIVEN, searchSql } from './search-sql.ts';

const FILTER = `
  AND ($11::timestamptz IS NULL OR occurred_at >= $11)
  AND ($12::timestamptz IS NULL OR occurred_at < $12)
  AND ($13::text[] IS NULL OR channel = ANY ($13))
  AND ($14::int[] IS NULL OR thread_id = ANY ($14))
  AND ($15::text[] IS NULL OR speaker = ANY ($15))`;

/** Parameters $1-$10, see search-sql.ts. */
const ANY_TURN: Statement = { name: 'search-turns', text: searchSql('') };
/** Like ANY_TURN, with $11 from, $12 to, $13 channels, $14 threads, $15 speakers; null = any. */
const FILTERED: Statement = { name: 'search-turns-filtered', text: searchSql(FILTER) };

/** Like ANY_TURN, with the nearest turns in $11. */
const NEAREST_KNOWN: Statement = { name: 'search-turns-given', text: searchSql('', NEAREST_GIVEN) };

/** Restricts which turns are found, not the neighbours whose words count for them. `to` is exclusive. */
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
  /** The query's vector of unit length, made by `embedder`; null searches by words only. */
  vector: ArrayLike<number> | null;
  embedder: string;
  weights: RankingWeights;
  filter?: TurnFilter;
  /** The turns nearest by vector, if they are known already. Not with a filter. */
  nearest?: readonly number[];
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
  unread_by_rules: boolean;
  is_cut: boolean;
  word_count: number;
  cues: number | null;
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

/** Sorts by key, so that floating-point sums do not depend on the order in which a plan found the rows. */
function pairs(keys: string | null, values: string | null): Map<number, number> {
  const found = parseNumbers(values);
  const entries = parseNumbers(keys).map((key, index): [number, number] => [
    key,
    found[index] ?? 0,
  ]);
  return new Map(entries.sort(([a], [b]) => a - b));
}

function neighboursOf(row: Row): Neighbour[] {
  const words = parseNumbers(row.words);
  const similarities = parseArray(row.similarities);
  const neighbours = parseNumbers(row.offsets).map((offset, index) => ({
    offset,
    words: words[index] ?? 0,
    similarity: similarities[index] ?? null,
  }));
  return neighbours.sort((a, b) => a.offset - b.offset);
}

function candidateOf(row: Row): TurnCandidate {
  const { id, role, speaker, channel, text } = row;
  const content = {
    id,
    role,
    speaker,
    channel,
    text,
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    unreadByRules: row.unread_by_rules,
  };
  return {
    kind: 'TURN',
    id,
    threadId: row.thread_id,
    number: row.number,
    wordCount: row.word_count,
    frequencies: pairs(row.places, row.frequencies),
    threadTerms: parseNumbers(row.thread_places),
    neighbours: neighboursOf(row),
    cues: { speaker, occurredAt: content.occurredAt, ...readCues(row.cues, role) },
    content: row.is_cut ? null : content,
  };
}

function values(search: TurnSearch): unknown[] {
  const { userId, terms, vector, embedder, weights: w, filter, nearest } = search;
  const reach = (w.neighbours.length - 1) / 2;
  const base = [
    userId,
    terms,
    queryParameter(vector),
    embedder,
    reach,
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
 * Finds candidates among the turns of a memory of any size, with their texts: the best by BM25 over a turn and its
 * neighbours, and the nearest by vector. One round trip.
 */
export async function searchTurns(tx: Tx, search: TurnSearch): Promise<TurnCandidates> {
  const unfiltered = search.nearest ? NEAREST_KNOWN : ANY_TURN;
  const rows = await tx.query<Row>(search.filter ? FILTERED : unfiltered, values(search));
  const [first] = rows;
  const statistics = {
    turns: first?.turns ?? 0,
    threads: first?.threads ?? 0,
    meanWords: first?.mean_words ?? 0,
    turnsWith: pairs(first?.df_places ?? null, first?.dfs ?? null),
    threadsWith: pairs(first?.df_places ?? null, first?.thread_dfs ?? null),
  };
  return {
    turns: rows.map(candidateOf),
    statistics,
    segments: null,
    timeZone: first?.time_zone ?? null,
    embedded: first?.embedded ?? null,
  };
}
