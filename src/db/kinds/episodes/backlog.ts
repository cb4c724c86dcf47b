import { FLOOR, MAX_WINDOW, OLDEST, WINDOW } from '../../../domain/segments/segmentation.ts';
import type { BacklogQueries } from '../kind.ts';

/** By its state, or by the clock before a step has found so. */
const IS_OVER = `(state <> 'OPEN' OR idle_at <= $3)`;

/** What `segmentationDue` says of an open thread: what it leaves for more turns to come is no work to wait for. */
const OPEN_IS_DUE = `CASE
    WHEN pending >= ${MAX_WINDOW} THEN true
    WHEN pending >= ${WINDOW} THEN segmentation_tried < ${WINDOW}
    WHEN pending < ${FLOOR} OR segmentation_tried > 0 THEN false
    ELSE oldest <= $3::timestamptz - interval '${OLDEST} milliseconds' END`;

/** Turns become segments, a closed segment becomes an episode, or not, and a thread that is over is summarised. */
export const backlog = {
  turnsToSegment: `(SELECT coalesce(sum(pending), 0)::int FROM (
    SELECT turn_count - segmented_through AS pending, segmentation_tried, ${IS_OVER} AS is_over, (
      SELECT occurred_at FROM turns WHERE user_id = $1 AND thread_id = t.id AND number = segmented_through + 1
    ) AS oldest
    FROM threads t WHERE user_id = $1 AND turn_count > segmented_through) AS waiting
    WHERE is_over OR ${OPEN_IS_DUE})`,
  turnsToCapture: `(SELECT coalesce(sum(last_turn - first_turn + 1), 0)::int FROM episodes
    WHERE user_id = $1 AND capture = 'PENDING')`,
  threadsToCompact: `(SELECT count(*)::int FROM threads WHERE user_id = $1 AND ${IS_OVER}
    AND compacted_through < turn_count)`,
} satisfies BacklogQueries;
