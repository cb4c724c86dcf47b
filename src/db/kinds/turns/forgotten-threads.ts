import { THREAD_STEPS } from '../../../steps.ts';
import type { Statement, Tx } from '../../core/database.ts';
import type { Forgotten } from '../erase.ts';

const THREADS_OF: Statement = {
  name: 'forget-threads',
  text: `
SELECT DISTINCT thread_id AS id FROM turns WHERE user_id = $1 AND id = ANY($2::int[])
UNION SELECT id FROM threads WHERE user_id = $1 AND ($3::int = id OR $4)`,
};

/** The threads of some turns, and those that are forgotten even without a turn. */
export async function threadsOf(
  tx: Tx,
  turnIds: readonly number[],
  { threadId, isAll }: { threadId: number | null; isAll: boolean },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(THREADS_OF, [tx.userId, turnIds, threadId, isAll]);
  return rows.map(({ id }) => id);
}

/**
 * What is left of the threads that lost turns: emptied ones go, the others are described anew. Citus allows no sum of times in
 * an UPDATE: hence "waits".
 */
const MEND_THREADS: Statement = {
  name: 'forget-mend',
  text: `
WITH remaining AS (
  SELECT t.thread_id, t.id, row_number() OVER (PARTITION BY t.thread_id ORDER BY t.occurred_at, t.number) AS number,
    t.occurred_at, t.channel
  FROM turns t WHERE t.user_id = $1 AND t.thread_id = ANY($2::int[])
), renumbered AS (
  UPDATE turns t SET number = r.number FROM remaining r
  WHERE t.user_id = $1 AND t.id = r.id AND t.number <> r.number
), described AS (
  SELECT thread_id, count(*) AS turn_count, min(occurred_at) AS started_at, max(occurred_at) AS last_activity_at,
    array_agg(DISTINCT channel) AS channels
  FROM remaining GROUP BY thread_id
), waits AS (
  SELECT t.id, d.last_activity_at + (t.idle_at - t.last_activity_at) AS idle_at
  FROM threads t JOIN described d ON d.thread_id = t.id WHERE t.user_id = $1
), mended AS (
  UPDATE threads t SET turn_count = d.turn_count, started_at = d.started_at,
    last_activity_at = d.last_activity_at, channels = d.channels, idle_at = w.idle_at
  FROM described d JOIN waits w ON w.id = d.thread_id WHERE t.user_id = $1 AND t.id = d.thread_id
), gone AS (
  DELETE FROM threads WHERE user_id = $1 AND id = ANY($2::int[])
    AND id NOT IN (SELECT thread_id FROM described)
  RETURNING id
), gone_events AS (
  DELETE FROM memory_events WHERE user_id = $1 AND thread_id IN (SELECT id FROM gone) RETURNING number
), gone_jobs AS (
  DELETE FROM jobs WHERE user_id = $1 AND step IN (${THREAD_STEPS.map((step) => `'${step}'`).join(', ')})
    AND subject IN (SELECT id FROM gone)
)
SELECT count(*)::int AS threads, (SELECT count(*) FROM gone_events)::int AS events,
  ARRAY(SELECT thread_id FROM described) AS "left" FROM gone`,
};

/** Describes threads anew by the turns that are left, and erases those without. @returns what is gone with them */
export async function mendThreads(
  tx: Tx,
  threadIds: readonly number[],
): Promise<Partial<Forgotten>> {
  const [row] = await tx.query<Pick<Forgotten, 'threads' | 'events'> & { left: number[] }>(
    MEND_THREADS,
    [tx.userId, threadIds],
  );
  const { left = [], ...gone } = row ?? {};
  for (const id of left) tx.changed('turnsForgotten', id);
  return gone;
}
