import { STEPS } from '../../pipeline.ts';
import type { Statement, Tx } from '../core/database.ts';

/** Minutes of silence in all threads after which a session ends. */
const SILENCE = 30;

/** SQL for whether a step's job for a subject is dead, so that its result need not be awaited. OFFSET 0: looked up by its key. */
export const isDead = (step: string, subject: string): string =>
  `EXISTS (SELECT FROM jobs WHERE user_id = $1 AND step = '${step}' AND subject = ${subject} AND dead_at IS NOT NULL
    OFFSET 0)`;

/**
 * SQL for the time of the earliest turn that is not segmented, or whose segment is not captured, of the user in $1.
 * Background work in progress does not change anything before it. Infinity if nothing is pending.
 */
const PENDING_FROM = `least(coalesce((
  SELECT min(first.occurred_at) FROM threads t
  JOIN turns first ON first.user_id = $1 AND first.thread_id = t.id AND first.number = t.segmented_through + 1
  WHERE t.user_id = $1 AND t.turn_count > t.segmented_through AND NOT ${isDead(STEPS.segmentThread, 't.id')}
), 'infinity'), coalesce((
  SELECT min(e.started_at) FROM episodes e
  WHERE e.user_id = $1 AND e.capture = 'PENDING' AND NOT ${isDead(STEPS.captureSegments, '0')}
), 'infinity'))`;

/** How far back from the newest turn the end of a session is searched. If there is no pause in it, the next one counts. */
const LOOK_BACK = "interval '2 days'";

/**
 * SQL for when the last session in a period ended, of the user in $1: the time of the last turn before half an hour of
 * silence in all threads. Null if no session ended then.
 * @param from, by, now SQL: the start of the period, its end (exclusive), and the current time
 */
const sessionEndIn = (from: string, by: string, now: string): string => `(
  SELECT t.occurred_at FROM turns t
  WHERE t.user_id = $1 AND t.occurred_at >= ${from} AND t.occurred_at < ${by}
    AND t.occurred_at <= ${now} - interval '${SILENCE} minutes'
    AND NOT EXISTS (SELECT FROM turns n WHERE n.user_id = $1 AND n.occurred_at > t.occurred_at
      AND n.occurred_at < t.occurred_at + interval '${SILENCE} minutes' OFFSET 0)
  ORDER BY t.occurred_at DESC LIMIT 1)`;

/** CTEs `pending` (at), and `session_end` (at): the end of the last session whose turns are all segmented and captured. */
export const sessionEnd = (
  now: string,
): string => `pending AS MATERIALIZED (SELECT ${PENDING_FROM} AS at),
session_end AS MATERIALIZED (
  SELECT ${sessionEndIn(`newest.at - ${LOOK_BACK}`, 'pending.at', now)} AS at
  FROM pending, LATERAL (
    SELECT max(occurred_at) AS at FROM turns WHERE user_id = $1 AND occurred_at < pending.at) AS newest
)`;

/** SQL for whether a session, completely processed, ended between an episode and the next one. */
export const endsSession = (endedAt: string, nextAt: string, now: string): string =>
  `${sessionEndIn(endedAt, `least((SELECT at FROM pending), coalesce(${nextAt}, 'infinity'))`, now)} IS NOT NULL`;

const NEXT: Statement = {
  name: 'session-end-next',
  text: `
SELECT max(last_activity_at) + interval '${SILENCE} minutes' AS at FROM threads WHERE user_id = $1 AND last_activity_at <= $2`,
};

/**
 * When the current session will end if nothing more is said; a past time if it has ended. Null if no turn was said before
 * `now`. Turns with a future time, from a wrong clock, are ignored.
 */
export async function nextEnd(tx: Tx, now: Date): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(NEXT, [tx.userId, now]);
  return row?.at ?? null;
}
