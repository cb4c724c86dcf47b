import type { ToldSegment } from '../../domain/episodes/told-segment.ts';
import { numbers } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../vectors/vectors.ts';

/** The closed segments as columns: pg takes ten times as long for as many rows. Times in milliseconds. */
export const toldSql = (vector: string, embedder: string, which: string): string => `
SELECT array_agg(told.thread_id)::text AS places, array_agg(told.first_turn)::text AS firsts,
  array_agg(told.last_turn)::text AS lasts, array_agg(coalesce(whole.stability, told.stability)::float4)::text AS stabilities,
  array_agg(extract(epoch FROM coalesce(whole.last_reviewed_at, told.last_reviewed_at, whole.ended_at, told.ended_at))::bigint
    * 1000)::text AS moments,
  array_agg(coalesce(told.surprise, 0)::float4)::text AS surprises,
  array_agg((-(v.embedding <#> ${halfvecOf(vector)}))::float4)::text AS nearness
FROM episodes AS told
LEFT JOIN episodes AS whole ON whole.user_id = $1 AND whole.id = told.merged_into_id
LEFT JOIN episode_vectors AS v ON v.user_id = $1 AND v.episode_id = told.id AND v.embedder = ${embedder}
WHERE told.user_id = $1 AND told.kind = 'SEGMENT' AND ${which}`;

const TOLD: Statement = {
  name: 'told-segments',
  text: toldSql('$2', '$3', 'told.thread_id = ANY ($4::int[])'),
};

export type ToldRow = Record<
  'places' | 'firsts' | 'lasts' | 'stabilities' | 'moments' | 'surprises' | 'nearness',
  string | null
>;

/** The closed segments of threads: how each fades, and how near its summary is to a query. */
export async function toldSegments(
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
): Promise<ToldSegment[]> {
  const values = [tx.userId, queryParameter(vector), embedder, threadIds];
  const [row] = await tx.query<ToldRow>(TOLD, values);
  return readTold(row);
}

/** The segments of a row of `toldSql`. */
export function readTold(row: ToldRow | undefined): ToldSegment[] {
  const of = (name: keyof ToldRow) => numbers(row?.[name]);
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
