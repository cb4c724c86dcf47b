import type { EventKind } from '../../domain/core/event.ts';
import type { Database, Statement, Tx } from '../core/database.ts';

export type EventRow = {
  userId: string;
  number: number;
  kind: EventKind;
  at: Date;
  threadId: number | null;
  episodeId: number | null;
  factId: number | null;
  firstTurnId: number | null;
  lastTurnId: number | null;
  decision: string;
  details: Record<string, number | string> | null;
};

const AFTER: Statement = {
  name: 'events-after',
  text: `
SELECT user_id AS "userId", number, kind, at, thread_id AS "threadId", episode_id AS "episodeId",
  fact_id AS "factId",  first_turn_id AS "firstTurnId", last_turn_id AS "lastTurnId", decision, details
FROM memory_events
WHERE user_id = $1 AND number > $2 AND ($3::text[] IS NULL OR kind::text = ANY($3))
ORDER BY number LIMIT $4`,
};

/** The events behind a number, oldest first; of certain kinds if given. */
export const after = (
  tx: Tx,
  number: number,
  kinds: readonly EventKind[] | null,
  limit: number,
): Promise<EventRow[]> => tx.query<EventRow>(AFTER, [tx.userId, number, kinds, limit]);

const BOUNDS: Statement = {
  name: 'events-bounds',
  text: `SELECT last_event AS last, trimmed_event AS trimmed FROM users WHERE user_id = $1`,
};

/** The newest number given, and the newest one that is past its retention and gone. */
export async function bounds(tx: Tx): Promise<{ last: number; trimmed: number }> {
  const [row] = await tx.query<{ last: number; trimmed: number }>(BOUNDS, [tx.userId]);
  return row ?? { last: 0, trimmed: 0 };
}

const NEWEST: Statement = {
  name: 'events-newest',
  text: `SELECT user_id AS "userId", last_event AS last FROM users WHERE user_id = ANY ($1::text[])`,
};

/** The newest number given to each of these users. */
export const newest = (
  db: Database,
  userIds: readonly string[],
): Promise<{ userId: string; last: number }[]> => db.system(NEWEST, [userIds]);

const TRIM: Statement = {
  name: 'events-trim',
  text: `
WITH gone AS (
  DELETE FROM memory_events WHERE user_id = $1 AND at < $2 RETURNING number
), kept AS (
  SELECT min(at) AS oldest FROM memory_events WHERE user_id = $1 AND at >= $2
), noted AS (
  UPDATE users SET trimmed_event = greatest(trimmed_event, (SELECT max(number) FROM gone))
  WHERE user_id = $1 AND EXISTS (SELECT 1 FROM gone)
)
SELECT oldest FROM kept`,
};

/** Deletes the events from before a time; returns the time of the oldest one left. */
export async function trim(tx: Tx, before: Date): Promise<Date | null> {
  const [row] = await tx.query<{ oldest: Date | null }>(TRIM, [tx.userId, before]);
  return row?.oldest ?? null;
}
