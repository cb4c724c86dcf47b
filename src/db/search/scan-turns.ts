import type { CandidateContent, TurnCandidates } from '../../domain/ranking/candidate.ts';
import { selectTurns, type TurnQuery } from '../../domain/ranking/select-turns.ts';
import { addTurns, noTurns } from '../../domain/ranking/turn-columns.ts';
import { givenNearness } from '../../domain/ranking/turn-vectors.ts';
import { parseNumbers } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../core/vectors.ts';
import {
  readSegmentSummaries,
  type SegmentSummaryRow,
  segmentSummariesSql,
} from '../threads/segment-summaries.ts';
import type { TurnSearch } from './search.ts';

/** SQL for the postings of a query's terms, as the text that `readPostings` parses. */
export const postingsSql = (terms: string, condition: string): string => `
  SELECT string_agg(q.place - 1 || own.turn_ids || own.frequencies, ';') AS postings
  FROM unnest(${terms}::text[]) WITH ORDINALITY AS q (term, place)
  CROSS JOIN LATERAL (
    SELECT array_agg(turn_id)::text AS turn_ids, array_agg(frequency)::text AS frequencies
    FROM postings WHERE user_id = $1 AND term = q.term AND ${condition}
  ) AS own
  WHERE own.turn_ids IS NOT NULL`;

/**
 * All turns of a small memory as a few arrays: their places, their similarities and the postings of the query's terms. This
 * costs less than joining the best of them in SQL, and neighbours are then found in this process. Nothing is read of a
 * larger memory.
 *
 * $1 user · $2 terms · $3 vector or null · $4 embedder · $5 most turns
 */
const scanSql = (filter: string | null): string => `
WITH size AS MATERIALIZED (
  SELECT turn_count, word_count, time_zone, turn_count <= $5::int AS small FROM users WHERE user_id = $1
)
SELECT s.small, greatest(s.turn_count, 1) AS turns, s.word_count::float8 / greatest(s.turn_count, 1) AS mean_words,
  s.time_zone, t.ids, t.thread_ids, t.numbers, t.words, t.allowed, v.vector_ids, v.similarities, p.postings, d.*,
  (SELECT count(*)::int FROM threads WHERE user_id = $1) AS threads,
  coalesce((SELECT through FROM index_progress
    WHERE user_id = $1 AND index_name = 'vectors:' || $4::text), 0) AS embedded_through
FROM size AS s
CROSS JOIN LATERAL (
  SELECT array_agg(id)::text AS ids, array_agg(thread_id)::text AS thread_ids, array_agg(number)::text AS numbers,
    array_agg(word_count)::text AS words, ${filter === null ? 'NULL' : 'array_agg(allowed::int)::text'} AS allowed
  FROM (
    SELECT id, thread_id, number, word_count${filter === null ? '' : `, (${filter}) AS allowed`}
    FROM turns WHERE user_id = $1 AND s.small ORDER BY thread_id, number
  ) AS ordered
) AS t
CROSS JOIN LATERAL (
  SELECT array_agg(turn_id)::text AS vector_ids, array_agg((-(embedding <#> ${halfvecOf('$3')}))::float4)::text AS similarities
  FROM turn_vectors WHERE user_id = $1 AND embedder = $4 AND s.small AND $3::vector IS NOT NULL
) AS v
CROSS JOIN LATERAL (${postingsSql('$2', 's.small')}
) AS p
CROSS JOIN LATERAL (${segmentSummariesSql('$3', '$4', 's.small')}) AS d`;

const SCAN: Statement = { name: 'scan-turns', text: scanSql(null) };
/** The same with $6 from, $7 to, $8 channels, $9 threads, $10 speakers; null = any. */
const SCAN_FILTERED: Statement = {
  name: 'scan-turns-filtered',
  text: scanSql(`($6::timestamptz IS NULL OR occurred_at >= $6) AND ($7::timestamptz IS NULL OR occurred_at < $7)
    AND ($8::text[] IS NULL OR channel = ANY ($8)) AND ($9::int[] IS NULL OR thread_id = ANY ($9))
    AND ($10::text[] IS NULL OR coalesce(speaker = ANY ($10), false))`),
};

type Row = SegmentSummaryRow & {
  small: boolean;
  turns: number;
  mean_words: number;
  time_zone: string | null;
  threads: number;
  embedded_through: number;
  ids: string | null;
  thread_ids: string | null;
  numbers: string | null;
  words: string | null;
  allowed: string | null;
  vector_ids: string | null;
  similarities: string | null;
  postings: string | null;
};

/** Finds the candidates among all turns of a memory; if it has more than `most` turns, returns only their number. */
export async function scanTurns(
  tx: Tx,
  { userId, terms, vector, embedder, filter, weights }: TurnSearch,
  most: number,
): Promise<TurnCandidates | { size: number }> {
  const base = [userId, terms, queryParameter(vector), embedder, most];
  const {
    from = null,
    to = null,
    channels = null,
    threadIds = null,
    speakers = null,
  } = filter ?? {};
  const [row] = filter
    ? await tx.query<Row>(SCAN_FILTERED, [...base, from, to, channels, threadIds, speakers])
    : await tx.query<Row>(SCAN, base);
  if (row && !row.small) return { size: row.turns };
  const ids = parseNumbers(row?.ids);
  const columns = noTurns();
  addTurns(columns, {
    ids,
    threadIds: parseNumbers(row?.thread_ids),
    numbers: parseNumbers(row?.numbers),
    words: parseNumbers(row?.words),
  });
  const similarities = new Float32Array(ids.length).fill(Number.NaN);
  const nearness = parseNumbers(row?.similarities);
  for (const [index, id] of parseNumbers(row?.vector_ids).entries()) {
    const row = columns.rowOf.get(id);
    if (row !== undefined) similarities[row] = nearness[index] ?? 0;
  }
  const query = {
    columns,
    allowed: filter ? Uint8Array.from(parseNumbers(row?.allowed)) : null,
    near: givenNearness(similarities),
    cues: null,
    postings: readPostings(row?.postings ?? null),
    turns: row?.turns ?? 0,
    threads: row?.threads ?? 0,
    meanWords: row?.mean_words ?? 0,
  };
  const last = ids.reduce((most, id) => Math.max(most, id), 0);
  const embedded = last <= (row?.embedded_through ?? 0);
  const timeZone = row?.time_zone ?? null;
  const segments = readSegmentSummaries(row);
  return { ...selectTurns(query, weights), segments, timeZone, embedded };
}

/** Parses the result of `postingsSql`. */
export const readPostings = (text: string | null): TurnQuery['postings'] =>
  text ? text.split(';').map(posting) : [];

/** "3{7,9}{1,2}": the query's term at index 3 occurs once in turn 7 and twice in turn 9. */
function posting(text: string): TurnQuery['postings'][number] {
  const [place = '', turnIds = '', frequencies = ''] = text.split('{');
  return {
    place: Number(place),
    turnIds: parseNumbers(`{${turnIds}`),
    frequencies: parseNumbers(`{${frequencies}`),
  };
}

/** SQL for a time in milliseconds since 1970. Multiplied as a float, a time of 2004 may become a millisecond earlier. */
export const millisecondsSql = (column: string): string =>
  `(extract(epoch FROM ${column}) * 1000)::float8`;

const TEXTS: Statement = {
  name: 'scan-turns-texts',
  text: `
SELECT id, role::text, speaker, channel, cues, unread_by_rules AS unread, "isCut", CASE WHEN "isCut" THEN '' ELSE text END AS text,
  ${millisecondsSql('occurred_at')} AS occurred, ${millisecondsSql('recorded_at')} AS recorded
FROM (
  SELECT *, ($3::int IS NOT NULL AND octet_length(text) > $3) AS "isCut",
    sum(octet_length(text)) OVER (ORDER BY id) - octet_length(text) AS before
  FROM turns WHERE user_id = $1 AND id = ANY ($2::int[])
) AS t WHERE $4::int IS NULL OR before <= $4`,
};

type TextRow = Omit<CandidateContent, 'occurredAt' | 'recordedAt' | 'unreadByRules'> & {
  unread: boolean;
  occurred: number;
  recorded: number;
  cues: number | null;
  isCut: boolean;
};

/**
 * Reads turns with their texts, by ids. Times are read as numbers, which pg parses several times as fast.
 * @param long texts with more bytes are not read; null = all are
 * @param most reading stops after the turn with which the texts exceed this many bytes; null = no limit
 */
export async function turnTexts(
  tx: Tx,
  ids: readonly number[],
  { long = null, most = null }: { long?: number | null; most?: number | null },
): Promise<(CandidateContent & { cues: number | null; isCut: boolean })[]> {
  const rows = await tx.query<TextRow>(TEXTS, [tx.userId, ids, long, most]);
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    speaker: row.speaker,
    channel: row.channel,
    text: row.text,
    occurredAt: new Date(row.occurred),
    recordedAt: new Date(row.recorded),
    unreadByRules: row.unread,
    cues: row.cues,
    isCut: row.isCut,
  }));
}
