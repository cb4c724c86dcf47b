import { STEPS } from '../../pipeline.ts';
import type { Statement, Tx } from '../core/database.ts';

/** Minutes of silence over all threads that end a session. */
const SILENCE = 30;

/** Whether a step failed too often at a subject: nobody waits for what it does not do. */
const isDead = (step: string, subject: string): string =>
  `EXISTS (SELECT FROM jobs WHERE user_id = $1 AND step = '${step}' AND subject = ${subject} AND dead_at IS NOT NULL)`;

/**
 * When the earliest turn was said of which no episode, or no decision about its episode, is known yet: what was said before
 * will not change by what is under way. Infinity when nothing is. Of the user in $1.
 */
const PENDING_FROM = `least(coalesce((
  SELECT min(first.occurred_at) FROM threads t
  JOIN turns first ON first.user_id = $1 AND first.thread_id = t.id AND first.number = t.segmented_through + 1
  WHERE t.user_id = $1 AND t.turn_count > t.segmented_through AND NOT ${isDead(STEPS.segmentThread, 't.id')}
), 'infinity'), coalesce((
  SELECT min(e.started_at) FROM episodes e
  WHERE e.user_id = $1 AND e.capture = 'PENDING' AND NOT ${isDead(STEPS.captureSegments, '0')}
), 'infinity'))`;

/** How far back from the newest turn the end of a session is looked for: who never pauses for so long waits for a pause. */
const LOOK_BACK = "interval '2 days'";

/**
 * When the last session ended of those that ended in a range of time: with the last turn before half an hour of silence in
 * all threads of the user in $1. Null without one.
 * @param from, by, now SQL: both ends of the range, `by` itself outside, and the time it is
 */
const sessionEndIn = (from: string, by: string, now: string): string => `(
  SELECT t.occurred_at FROM turns t
  WHERE t.user_id = $1 AND t.occurred_at >= ${from} AND t.occurred_at < ${by}
    AND t.occurred_at <= ${now} - interval '${SILENCE} minutes'
    AND NOT EXISTS (SELECT FROM turns n WHERE n.user_id = $1 AND n.occurred_at > t.occurred_at
      AND n.occurred_at < t.occurred_at + interval '${SILENCE} minutes')
  ORDER BY t.occurred_at DESC LIMIT 1)`;

/** CTEs: `pending` (at) and `session_end` (at), the end of the last session of which everything is known. */
export const sessionEnd = (
  now: string,
): string => `pending AS MATERIALIZED (SELECT ${PENDING_FROM} AS at),
session_end AS MATERIALIZED (
  SELECT ${sessionEndIn(`newest.at - ${LOOK_BACK}`, 'pending.at', now)} AS at
  FROM pending, LATERAL (
    SELECT max(occurred_at) AS at FROM turns WHERE user_id = $1 AND occurred_at < pending.at) AS newest
)`;

/** Whether a session that is over and known to its end ended between an episode and the next one. */
export const endsSession = (endedAt: string, nextAt: string, now: string): string =>
  `${sessionEndIn(endedAt, `least((SELECT at FROM pending), coalesce(${nextAt}, 'infinity'))`, now)} IS NOT NULL`;

const NEXT: Statement = {
  name: 'session-end-next',
  text: `
SELECT max(last_activity_at) + interval '${SILENCE} minutes' AS at FROM threads WHERE user_id = $1 AND last_activity_at <= $2`,
};

/**
 * When the session that is under way will have ended, if nothing more is said; past where none is. Null without a turn up to
 * now: what is dated ahead of it, as by a clock that was wrong, is nothing to wait for.
 */
export async function nextEnd(tx: Tx, now: Date): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(NEXT, [tx.userId, now]);
  return row?.at ?? null;
}
