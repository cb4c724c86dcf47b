import type { SegmentSummary } from '../../domain/episodes/segment-summary.ts';
import { parseArray } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter, readVector, sentVector } from '../core/vectors.ts';

/**
 * SQL for closed segments as arrays, which pg parses ten times as fast as rows. Times are in milliseconds. OFFSET 0: vectors are
 * read by their keys, also where the table has no statistics yet; else all of the user's are read for each segment. In the order of
 * their ids.
 * @param columns of the vectors `v` of their summaries
 */
const segmentsSql = (columns: string, embedder: string, which: string): string => `
SELECT array_agg(segment.thread_id)::text AS places, array_agg(segment.first_turn)::text AS firsts,
  array_agg(segment.last_turn)::text AS lasts, array_agg(coalesce(whole.stability, segment.stability)::float4)::text AS stabilities,
  array_agg(extract(epoch FROM coalesce(whole.last_reviewed_at, segment.last_reviewed_at, whole.ended_at, segment.ended_at))::bigint
    * 1000)::text AS moments,
  array_agg(coalesce(segment.surprise, 0)::float4)::text AS surprises,
  ${columns}
FROM (
  SELECT * FROM episodes AS segment WHERE user_id = $1 AND kind = 'SEGMENT' AND ${which} ORDER BY id OFFSET 0
) AS segment
LEFT JOIN LATERAL (
  SELECT stability, last_reviewed_at, ended_at FROM episodes WHERE user_id = $1 AND id = segment.merged_into_id OFFSET 0
) AS whole ON true
LEFT JOIN LATERAL (
  SELECT embedding FROM episode_vectors WHERE user_id = $1 AND episode_id = segment.id AND embedder = ${embedder} OFFSET 0
) AS v ON true`;

/** Closed segments, and the similarity of their summaries to a query's vector. */
export const segmentSummariesSql = (vector: string, embedder: string, which: string): string =>
  segmentsSql(
    `array_agg((-(v.embedding <#> ${halfvecOf(vector)}))::float4)::text AS nearness`,
    embedder,
    which,
  );

/**
 * Closed segments, and what tells whether the vectors of their summaries are still those that were read before: their ids, and for
 * those with a vector a hash of their text.
 */
export const segmentVersionsSql = (embedder: string, which: string, columns = ''): string =>
  segmentsSql(
    `concat(array_agg(segment.id)::text, array_agg(CASE WHEN v.embedding IS NOT NULL
    THEN hashtext(concat_ws('. ', segment.title, segment.summary)) END)::text) AS version${columns}`,
    embedder,
    which,
  );

/** All closed segments, what tells their vectors' versions, and the vectors; null for a segment without. */
const VECTORS: Statement = {
  name: 'segment-vectors',
  text: segmentVersionsSql('$2', 'true', `, json_agg(${sentVector('v.embedding')}) AS vectors`),
};

const SUMMARIES: Statement = {
  name: 'segment-summaries',
  text: segmentSummariesSql('$2', '$3', 'segment.thread_id = ANY ($4::int[])'),
};

type SegmentRow = Record<
  'places' | 'firsts' | 'lasts' | 'stabilities' | 'moments' | 'surprises',
  string | null
>;
export type SegmentSummaryRow = SegmentRow & { nearness: string | null };
export type SegmentVersionRow = SegmentRow & { version: string };
type SegmentVectorsRow = SegmentVersionRow & { vectors: (string | null)[] | null };

/** The closed segments of threads: their forgetting curves, and the similarity of their summaries to a query. */
export async function ofThreads(
  tx: Tx,
  {
    vector,
    embedder,
    threadIds,
  }: {
    vector: ArrayLike<number> | null;
    embedder: string;
    threadIds: readonly number[];
  },
): Promise<SegmentSummary[]> {
  const values = [tx.userId, queryParameter(vector), embedder, threadIds];
  const [row] = await tx.query<SegmentSummaryRow>(SUMMARIES, values);
  return readSegmentSummaries(row);
}

/** The segments of a row of `segmentSummariesSql`. */
export function readSegmentSummaries(row: SegmentSummaryRow | undefined): SegmentSummary[] {
  const similarities = parseArray(row?.nearness);
  return readSegments(row).map((segment, at) => ({
    ...segment,
    similarity: similarities[at] ?? null,
  }));
}

/** A closed segment that was not compared with a query. */
type Uncompared = Omit<SegmentSummary, 'similarity'>;

/** The closed segments of a memory, with their version (see `segmentVersionsSql`). */
export type SegmentVersions = { version: string; segments: Uncompared[] };

/** The segments of a row of `segmentVersionsSql`. */
export const readSegmentVersions = (row: SegmentVersionRow): SegmentVersions => ({
  version: row.version,
  segments: readSegments(row),
});

/** All closed segments of the user, and the vectors of their summaries by their places; null for one without. */
export async function withVectors(
  tx: Tx,
  embedder: string,
): Promise<SegmentVersions & { vectors: (Float32Array | null)[] }> {
  const [row] = await tx.query<SegmentVectorsRow>(VECTORS, [tx.userId, embedder]);
  if (!row) throw new Error('An aggregate always has a row.');
  return { ...readSegmentVersions(row), vectors: row.vectors?.map(readVector) ?? [] };
}

function readSegments(row: SegmentRow | undefined): Uncompared[] {
  const of = (name: keyof SegmentRow) => parseArray(row?.[name]);
  const [firsts, lasts, stabilities] = [of('firsts'), of('lasts'), of('stabilities')];
  const [moments, surprises] = [of('moments'), of('surprises')];
  return of('places').map((threadId, at) => ({
    threadId: threadId ?? 0,
    firstTurn: firsts[at] ?? 0,
    lastTurn: lasts[at] ?? 0,
    stability: stabilities[at] ?? null,
    at: moments[at] ?? 0,
    surprise: surprises[at] ?? 0,
  }));
}
