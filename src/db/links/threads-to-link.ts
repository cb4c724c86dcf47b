import { STEPS } from '../../pipeline.ts';
import type { Statement, Tx } from '../core/database.ts';

/** A thread whose first turns are to be compared with earlier threads. */
export type ThreadToLink = {
  /** The erase epoch under which this was read. */
  epoch: number;
  /** The user's (IANA); null if unknown. */
  timeZone: string | null;
  id: number;
  startedAt: Date;
  /** It is open, so it may still get more first turns. */
  isOpen: boolean;
  /** How many of its first turns were compared already. */
  linkedTurns: number;
  /** How many first turns it has now. */
  turns: number;
  /** It is linked with an earlier thread, and neither of its threads has lost turns since. */
  isLinked: boolean;
  /** It is part of a cross-thread episode. */
  isGrouped: boolean;
  /** The thread before it is over and its first summary is still being made: as in an import, others probably lack theirs, too. */
  isEarly: boolean;
};

/**
 * SQL for whether the summary of a thread that is over is being made: a job for it is due soon or waits for a model.
 * @param thread SQL for the thread's id; `soon`: for the time by which a job counts
 */
export const isUnderWay = (thread: string, soon: string): string => `
  EXISTS (SELECT FROM jobs j WHERE j.user_id = $1 AND j.dead_at IS NULL AND (
    j.step IN ('${STEPS.segmentThread}', '${STEPS.compactThread}') AND j.subject = ${thread}
      AND (j.run_at <= ${soon} OR j.parked_at IS NOT NULL)
    OR j.step = '${STEPS.captureSegments}' AND EXISTS (
      SELECT FROM episodes s WHERE s.user_id = $1 AND s.thread_id = ${thread} AND s.capture = 'PENDING')))`;

/** Of how many threads that are due it is looked up whether their turns are indexed. */
const EARLIEST = 200;

const NEXT: Statement = {
  name: 'link-candidates-next',
  text: `
WITH indexed AS MATERIALIZED (
  SELECT min(coalesce(p.through, 0)) AS through FROM unnest($2::text[]) AS i(name)
  LEFT JOIN index_progress p ON p.user_id = $1 AND p.index_name = i.name
)
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", t.id, t.started_at AS "startedAt", t.state = 'OPEN' AS "isOpen",
  t.linked_turns AS "linkedTurns", o.turns,
  t.linked_turns > 0 AND EXISTS (
    SELECT FROM links l WHERE l.user_id = $1 AND l.thread_id = t.id AND l.verdict = 'LINK' AND l.reasoning IS NOT NULL) AS "isLinked",
  t.cross_thread_episode_id IS NOT NULL AS "isGrouped",
  coalesce((SELECT b.state <> 'OPEN' AND b.compacted_through < b.turn_count AND NOT EXISTS (SELECT FROM episodes s
      WHERE s.user_id = $1 AND s.thread_id = b.id AND s.kind = 'PRIMARY' AND s.micro IS NOT NULL) AND ${isUnderWay('b.id', '$5')} FROM threads b
    WHERE b.user_id = $1 AND b.last_activity_at < t.started_at ORDER BY b.last_activity_at DESC LIMIT 1), false) AS "isEarly"
FROM users u CROSS JOIN LATERAL (
  SELECT id, started_at, state, linked_turns, cross_thread_episode_id FROM threads
  WHERE user_id = $1 AND linked_turns < $4::int AND turn_count > 0 AND (state <> 'OPEN' OR linked_turns < least(turn_count, $3::int) AND (
    turn_count >= $3 OR linked_turns = 0 OR NOT EXISTS (SELECT FROM links l WHERE l.user_id = $1 AND l.thread_id = threads.id)))
  ORDER BY started_at, id LIMIT ${EARLIEST}) AS t
CROSS JOIN indexed
CROSS JOIN LATERAL (
  SELECT count(*)::int AS turns, max(id) AS last FROM turns
  WHERE user_id = $1 AND thread_id = t.id AND number <= CASE WHEN t.state = 'OPEN' THEN $3 ELSE $4 END
) AS o
WHERE u.user_id = $1 AND o.last <= indexed.through
ORDER BY t.started_at, t.id LIMIT 1`,
};

/**
 * The earliest thread that is due to be compared. A thread is due when it has turns, again when it has `opening` of them,
 * and again when it is over; then up to `whole` turns are compared. It is due at once when it, or a thread that it was compared with, has lost turns.
 * @param indexes the names of the indexes that must contain its turns
 * @param soon jobs that are due by then count as under way
 */
export async function next(
  tx: Tx,
  indexes: readonly string[],
  { opening, whole, soon }: { opening: number; whole: number; soon: Date },
): Promise<ThreadToLink | null> {
  const values = [tx.userId, indexes, opening, whole, soon];
  return (await tx.query<ThreadToLink>(NEXT, values))[0] ?? null;
}
