import { vectorIndexName } from '../../domain/core/vector.ts';
import { FLOOR, MAX_WINDOW, OLDEST, WINDOW } from '../../domain/segments/segmentation.ts';
import type { Statement, Tx } from '../core/database.ts';

/** What is still to be made of a user's turns. */
export type Backlog = {
  turnsToIndex: number;
  turnsToEmbed: number;
  turnsToSegment: number;
  turnsToCapture: number;
  threadsToCompact: number;
};

/** By its state, or by the clock before a step has told so. */
const IS_OVER = `(state <> 'OPEN' OR idle_at <= $3)`;

/** What `segmentationDue` says of an open thread: what it leaves for more turns to come is no work to wait for. */
const OPEN_IS_DUE = `CASE
    WHEN pending >= ${MAX_WINDOW} THEN true
    WHEN pending >= ${WINDOW} THEN segmentation_tried < ${WINDOW}
    WHEN pending < ${FLOOR} OR segmentation_tried > 0 THEN false
    ELSE oldest <= $3::timestamptz - interval '${OLDEST} milliseconds' END`;

const READ: Statement = {
  name: 'backlog-read',
  text: `
WITH done AS (
  SELECT index_name, through FROM index_progress WHERE user_id = $1
), waiting AS (
  SELECT turn_count - segmented_through AS pending, segmentation_tried, ${IS_OVER} AS is_over, (
    SELECT occurred_at FROM turns WHERE user_id = $1 AND thread_id = t.id AND number = segmented_through + 1
  ) AS oldest
  FROM threads t WHERE user_id = $1 AND turn_count > segmented_through
)
SELECT
  (SELECT count(*)::int FROM turns WHERE user_id = $1
    AND id > coalesce((SELECT through FROM done WHERE index_name = 'keywords'), 0)) AS "turnsToIndex",
  (SELECT count(*)::int FROM turns WHERE user_id = $1 AND $2::text IS NOT NULL
    AND id > coalesce((SELECT through FROM done WHERE index_name = $2), 0)) AS "turnsToEmbed",
  (SELECT coalesce(sum(pending), 0)::int FROM waiting WHERE is_over OR ${OPEN_IS_DUE}) AS "turnsToSegment",
  (SELECT coalesce(sum(last_turn - first_turn + 1), 0)::int FROM episodes
    WHERE user_id = $1 AND capture = 'PENDING') AS "turnsToCapture",
  (SELECT count(*)::int FROM threads WHERE user_id = $1 AND ${IS_OVER}
    AND compacted_through < turn_count
    ) AS "threadsToCompact"`,
};

/** @param embedder null while vectors are switched off, or the embedder's name is not known */
export async function read(tx: Tx, embedder: string | null, now: Date): Promise<Backlog> {
  const [row] = await tx.query<Backlog>(READ, [
    tx.userId,
    embedder && vectorIndexName(embedder),
    now,
  ]);
  return row as Backlog;
}
