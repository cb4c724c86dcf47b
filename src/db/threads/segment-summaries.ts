import type { SegmentSummary } from '../../domain/episodes/segment-summary.ts';
import { parseArray } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../core/vectors.ts';

/**
 * SQL for closed segments as arrays, which pg parses ten times as fast as rows. Times are in milliseconds. OFFSET 0: vectors are
 * read by their keys, also where the table has no statistics yet; else all of the user's are read for each segment.
 */
export const segmentSummariesSql = (vector: string, embedder: string, which: string): string => `
SELECT array_agg(segment.thread_id)::text AS places, array_agg(segment.first_turn)::text AS firsts,
  array_agg(segment.last_turn)::text AS lasts, array_agg(coalesce(whole.stability, segment.stability)::float4)::text AS stabilities,
  array_agg(extract(epoch FROM coalesce(whole.last_reviewed_at, segment.last_reviewed_at, whole.ended_at, segment.ended_at))::bigint
    * 1000)::text AS moments,
  array_agg(coalesce(segment.surprise, 0)::float4)::text AS surprises,
  array_agg((-(v.embedding <#> ${halfvecOf(vector)}))::float4)::text AS nearness
FROM episodes AS segment
LEFT JOIN LATERAL (
  SELECT stability, last_reviewed_at, ended_at FROM episodes WHERE user_id = $1 AND id = segment.merged_into_id OFFSET 0
) AS whole ON true
LEFT JOIN LATERAL (
  SELECT embedding FROM episode_vectors WHERE user_id = $1 AND episode_id = segment.id AND embedder = ${embedder} OFFSET 0
) AS v ON true
WHERE segment.user_id = $1 AND segment.kind = 'SEGMENT' AND ${which}`;

const SUMMARIES: Statement = {
  name: 'segment-summaries',
  text: segmentSummariesSql('$2', '$3', 'segment.thread_id = ANY ($4::int[])'),
};

export type SegmentSummaryRow = Record<
  'places' | 'firsts' | 'lasts' | 'stabilities' | 'moments' | 'surprises' | 'nearness',
  string | null
>;

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
  const of = (name: keyof SegmentSummaryRow) => parseArray(row?.[name]);
  const [firsts, lasts, stabilities] = [of('firsts'), of('lasts'), of('stabilities')];
  const [moments, surprises, similarities] = [of('moments'), of('surprises'), of('nearness')];
  return of('places').map((threadId, at) => ({
    threadId: threadId ?? 0,
    firstTurn: firsts[at] ?? 0,
    lastTurn: lasts[at] ?? 0,
    stability: stabilities[at] ?? null,
    at: moments[at] ?? 0,
    surprise: surprises[at] ?? 0,
    similarity: similarities[at] ?? null,
  }));
}
