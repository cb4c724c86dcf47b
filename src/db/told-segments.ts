import type { ToldSegment } from '../domain/told-segment.ts';
import type { Statement, Tx } from './database.ts';
import { vectorLiteral } from './vectors.ts';

/** As one value: pg takes ten times as long for as many rows. Times in milliseconds. */
const TOLD: Statement = {
  name: 'told-segments',
  text: `
SELECT json_agg(json_build_array(s.thread_id, s.first_turn, s.last_turn, coalesce(whole.stability, s.stability),
  extract(epoch FROM coalesce(whole.last_reviewed_at, s.last_reviewed_at, whole.ended_at, s.ended_at))::float8 * 1000,
  coalesce(s.surprise, 0), (
    SELECT (-(v.embedding <#> $2::halfvec))::float4 FROM episode_vectors AS v
    WHERE v.user_id = $1 AND v.episode_id = s.id AND v.embedder = $3
  ))) AS segments
FROM episodes AS s
LEFT JOIN episodes AS whole ON whole.user_id = $1 AND whole.id = s.merged_into_id
WHERE s.user_id = $1 AND s.kind = 'SEGMENT'`,
};

type Row = {
  segments: [number, number, number, number | null, number, number, number | null][] | null;
};

/** All closed segments of a user: how each fades, and how near its summary is to a query. */
export async function toldSegments(
  tx: Tx,
  userId: string,
  vector: ArrayLike<number> | null,
  embedder: string,
): Promise<ToldSegment[]> {
  const values = [userId, vector && vectorLiteral(vector), embedder];
  const [row] = await tx.query<Row>(TOLD, values);
  return (row?.segments ?? []).map(
    ([threadId, firstTurn, lastTurn, stability, at, surprise, similarity]) => ({
      ...{ threadId, firstTurn, lastTurn, stability, at: new Date(at), surprise, similarity },
    }),
  );
}
