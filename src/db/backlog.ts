import type { Statement, Tx } from './database.ts';
import { nameOf } from './vector-index.ts';

/** What is still to be made of a user's turns. */
export type Backlog = {
  turnsToIndex: number;
  turnsToEmbed: number;
  turnsToSegment: number;
  turnsToCapture: number;
  threadsToCompact: number;
};

const READ: Statement = {
  name: 'backlog-read',
  text: `
WITH done AS (
  SELECT index_name, through FROM index_progress WHERE user_id = $1
)
SELECT
  (SELECT count(*)::int FROM turns WHERE user_id = $1
    AND id > coalesce((SELECT through FROM done WHERE index_name = 'keywords'), 0)) AS "turnsToIndex",
  (SELECT count(*)::int FROM turns WHERE user_id = $1 AND $2::text IS NOT NULL
    AND id > coalesce((SELECT through FROM done WHERE index_name = $2), 0)) AS "turnsToEmbed",
  (SELECT coalesce(sum(turn_count - segmented_through), 0)::int FROM threads WHERE user_id = $1) AS "turnsToSegment",
  (SELECT coalesce(sum(last_turn - first_turn + 1), 0)::int FROM episodes
    WHERE user_id = $1 AND capture = 'PENDING') AS "turnsToCapture",
  (SELECT count(*)::int FROM threads WHERE user_id = $1 AND state <> 'OPEN' AND compacted_through < turn_count
    ) AS "threadsToCompact"`,
};

/** @param embedder null while vectors are switched off, or the embedder's name is not known */
export async function read(tx: Tx, userId: string, embedder: string | null): Promise<Backlog> {
  const [row] = await tx.query<Backlog>(READ, [userId, embedder && nameOf(embedder)]);
  return row as Backlog;
}
