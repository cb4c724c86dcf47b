import { MAX_WINDOW } from '../../../domain/segments/segmentation.ts';
import type { Statement } from '../../core/database.ts';
import {
  type Erase,
  type Erased,
  type Eraser,
  erasing,
  type Forgotten,
  forgottenInAll,
} from '../erase.ts';
import { eraseReviews } from './erase-reviews.ts';

/** Tables whose rows belong to one episode. */
const DEPENDENT: readonly Erased[] = [
  { table: 'episode_revisions' },
  { table: 'shown_episodes' },
  { table: 'episode_reviews', counted: 'reviews' },
];

/**
 * Erases what was made with the turns: the texts, verdict, state and dependent rows of an episode.
 * - hit: the segments that held the turns.
 * - beside: segments that a model may have described in the same request, of turns of one window.
 * - targets: these, and the episodes into which they were merged.
 * - touched: the targets, what else was merged into them, and the PRIMARY of each thread.
 *
 * Touched segments wait to be captured anew from what is left; the surprise of those that were hit is worked out anew, too.
 * Of all episodes of the threads the ranges move up.
 */
function eraseWith(withTexts: readonly Erased[]): Statement {
  const { ctes, counts } = erasing(
    [...withTexts, ...DEPENDENT],
    'user_id = $1 AND episode_id IN (SELECT id FROM touched)',
  );
  return {
    name: 'forget-episodes',
    text: `
WITH gone AS MATERIALIZED (
  SELECT thread_id, number FROM turns WHERE user_id = $1 AND id = ANY($2::int[])
), hit AS MATERIALIZED (
  SELECT e.id, e.merged_into_id FROM episodes e WHERE e.user_id = $1 AND e.kind = 'SEGMENT' AND EXISTS (
    SELECT FROM gone g WHERE g.thread_id = e.thread_id AND g.number BETWEEN e.first_turn AND e.last_turn)
), beside AS MATERIALIZED (
  SELECT e.id, e.merged_into_id FROM episodes e WHERE e.user_id = $1 AND e.kind = 'SEGMENT'
    AND (e.generated_by = 'MODEL' OR e.description->>'generatedBy' = 'MODEL') AND EXISTS (
      SELECT FROM gone g WHERE g.thread_id = e.thread_id
        AND e.first_turn < g.number + ${MAX_WINDOW} AND e.last_turn > g.number - ${MAX_WINDOW})
), source AS MATERIALIZED (
  SELECT * FROM hit UNION SELECT * FROM beside
), targets AS MATERIALIZED (
  SELECT id FROM source UNION SELECT merged_into_id FROM source WHERE merged_into_id IS NOT NULL
), touched AS MATERIALIZED (
  SELECT id FROM targets
  UNION SELECT id FROM episodes WHERE user_id = $1 AND merged_into_id IN (SELECT id FROM targets)
  UNION SELECT id FROM episodes WHERE user_id = $1 AND kind = 'PRIMARY' AND thread_id IN (SELECT thread_id FROM gone)
), ${ctes}, moved_threads AS (
  UPDATE threads t SET segmented_through = segmented_through - (
      SELECT count(*) FROM gone g WHERE g.thread_id = t.id AND g.number <= t.segmented_through),
    open_surprise = CASE WHEN EXISTS (SELECT FROM gone g WHERE g.thread_id = t.id AND g.number > t.segmented_through)
      THEN 0 ELSE open_surprise END,
    compacted_through = 0, segmentation_tried = 0, compaction_asked = compaction_asked - (
      SELECT count(*) FROM gone g WHERE g.thread_id = t.id AND g.number <= t.compaction_asked)
  WHERE t.user_id = $1 AND t.id IN (SELECT thread_id FROM gone)
), moved AS (
  UPDATE episodes e SET
    first_turn = first_turn - (SELECT count(*) FROM gone g WHERE g.thread_id = e.thread_id AND g.number < e.first_turn),
    last_turn = last_turn - (SELECT count(*) FROM gone g WHERE g.thread_id = e.thread_id AND g.number <= e.last_turn)
  WHERE e.user_id = $1 AND e.thread_id IN (SELECT thread_id FROM gone) AND e.id NOT IN (SELECT id FROM touched)
), erased AS (
  UPDATE episodes e SET
    first_turn = first_turn - (SELECT count(*) FROM gone g WHERE g.thread_id = e.thread_id AND g.number < e.first_turn),
    last_turn = last_turn - (SELECT count(*) FROM gone g WHERE g.thread_id = e.thread_id AND g.number <= e.last_turn),
    started_at = coalesce((SELECT min(occurred_at) FROM turns t WHERE t.user_id = $1 AND t.thread_id = e.thread_id
      AND t.number BETWEEN e.first_turn AND e.last_turn AND t.id <> ALL($2::int[])), e.started_at),
    ended_at = coalesce((SELECT max(occurred_at) FROM turns t WHERE t.user_id = $1 AND t.thread_id = e.thread_id
      AND t.number BETWEEN e.first_turn AND e.last_turn AND t.id <> ALL($2::int[])), e.ended_at),
    title = NULL, summary = NULL, topic = NULL, approach = NULL, micro = NULL, meso = NULL, macro = NULL,
    generated_by = NULL, model = NULL, compacted_at = NULL, date = NULL, week = NULL, year = NULL, part_of_day = NULL,
    capture = CASE WHEN kind = 'SEGMENT' THEN 'PENDING'::"CaptureStatus" END, capture_reason = NULL,
    capture_signals = NULL, theme_terms = NULL, merged_into_id = NULL, stability = NULL, difficulty = NULL, last_reviewed_at = NULL,
    consolidated_at = NULL, description = NULL, surprise = CASE WHEN id NOT IN (SELECT id FROM hit) THEN surprise END
  WHERE e.user_id = $1 AND e.id IN (SELECT id FROM touched)
  RETURNING id, CASE WHEN kind = 'SEGMENT' THEN first_turn > last_turn ELSE NOT EXISTS (
      SELECT FROM turns t WHERE t.user_id = $1 AND t.thread_id = e.thread_id AND t.id <> ALL($2::int[])) END AS empty,
      array_append(former_memory_ids, summarized_into_id) AS "memoryIds", kind = 'SEGMENT' AS "isSegment"
)
SELECT *, ${counts} AS gone FROM erased`,
  };
}

type Touched = {
  id: number;
  empty: boolean;
  /** The semantic memories that summarise it, or did before. */
  memoryIds: (number | null)[];
  isSegment: boolean;
  gone: Partial<Forgotten>;
};

const DROP: Statement = {
  name: 'forget-empty-episodes',
  text: `DELETE FROM episodes WHERE user_id = $1 AND id = ANY($2::int[]) RETURNING id`,
};

/**
 * Erases from episodes what came of the turns. Those that lost their texts count as gone. The semantic memories that
 * summarise them, or did before, are noted in `lost.SEMANTIC_MEMORY`, for the eraser of that kind, which comes next.
 */
const eraserWith = (withTexts: readonly Erased[]): Eraser => {
  const statement = eraseWith(withTexts);
  return async (tx, forgetting) => {
    const { turnIds, lost } = forgetting;
    const touched = await tx.query<Touched>(statement, [tx.userId, turnIds]);
    const empty = touched.filter((row) => row.empty).map(({ id }) => id);
    if (empty.length > 0) await tx.query(DROP, [tx.userId, empty]);
    // Also segments of other threads, which had been merged with these.
    if (touched.some((row) => row.isSegment && !row.empty)) tx.changed('segmentsClosed');
    const memoryIds = touched.flatMap((row) => row.memoryIds).filter((id) => id !== null);
    lost.SEMANTIC_MEMORY = [...new Set(memoryIds)];
    const reviews = await eraseReviews(tx, turnIds);
    return forgottenInAll([{ episodes: touched.length, reviews }, touched[0]?.gone ?? {}]);
  };
};

export const erase: Erase = {
  turns: eraserWith,
  withTexts: [{ table: 'episode_vectors', counted: 'vectors' }],
  named: {
    row: 'episodes e',
    id: 'e.id',
    at: 'e.ended_at',
    text: 'CASE WHEN e.summary IS NOT NULL THEN coalesce(e.title, e.summary) END',
  },
  turnsOf: `EXISTS (
    SELECT FROM episodes e WHERE e.user_id = $1 AND (e.id = $3 OR e.merged_into_id = $3) AND e.thread_id = t.thread_id
      AND (e.kind = 'PRIMARY' OR t.number BETWEEN e.first_turn AND e.last_turn)
    UNION ALL SELECT FROM threads h WHERE h.user_id = $1 AND h.id = t.thread_id AND h.cross_thread_episode_id = $3)`,
};
