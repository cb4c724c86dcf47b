import type { ToldSegment } from '../domain/told-segment.ts';
import { numbers } from './columns.ts';
import type { Statement, Tx } from './database.ts';
import { vectorLiteral } from './vectors.ts';

/** As columns: pg takes ten times as long for as many rows. Times in milliseconds. */
const TOLD: Statement = {
  name: 'told-segments',
  text: `
SELECT array_agg(s.thread_id)::text AS threads, array_agg(s.first_turn)::text AS firsts,
  array_agg(s.last_turn)::text AS lasts, array_agg(coalesce(whole.stability, s.stability)::float4)::text AS stabilities,
  array_agg(extract(epoch FROM coalesce(whole.last_reviewed_at, s.last_reviewed_at, whole.ended_at, s.ended_at))::bigint
    * 1000)::text AS moments,
  array_agg(coalesce(s.surprise, 0)::float4)::text AS surprises,
  array_agg((-(v.embedding <#> $2::halfvec))::float4)::text AS similarities
FROM episodes AS s
LEFT JOIN episodes AS whole ON whole.user_id = $1 AND whole.id = s.merged_into_id
LEFT JOIN episode_vectors AS v ON v.user_id = $1 AND v.episode_id = s.id AND v.embedder = $3
WHERE s.user_id = $1 AND s.thread_id = ANY ($4::int[]) AND s.kind = 'SEGMENT'`,
};

type Row = Record<
  'threads' | 'firsts' | 'lasts' | 'stabilities' | 'moments' | 'surprises' | 'similarities',
  string | null
>;

/** The closed segments of threads: how each fades, and how near its summary is to a query. */
export async function toldSegments(
  tx: Tx,
  userId: string,
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
  const values = [userId, vector && vectorLiteral(vector), embedder, threadIds];
  const [row] = await tx.query<Row>(TOLD, values);
  const of = (name: keyof Row) => numbers(row?.[name]);
  const [firsts, lasts, stabilities] = [of('firsts'), of('lasts'), of('stabilities')];
  const [moments, surprises, similarities] = [of('moments'), of('surprises'), of('similarities')];
  return of('threads').map((threadId, at) => ({
    threadId: threadId ?? 0,
    firstTurn: firsts[at] ?? 0,
    lastTurn: lasts[at] ?? 0,
    stability: stabilities[at] ?? null,
    at: moments[at] ?? 0,
    surprise: surprises[at] ?? 0,
    similarity: similarities[at] ?? null,
  }));
}
