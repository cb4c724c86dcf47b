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
  /** It is linked with an earlier thread. */
  isLinked: boolean;
  /** It is part of a cross-thread episode. */
  isGrouped: boolean;
};

/** How many threads that may be due are examined. */
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
  EXISTS (SELECT FROM links l WHERE l.user_id = $1 AND l.thread_id = t.id AND l.verdict = 'LINK') AS "isLinked",
  t.cross_thread_episode_id IS NOT NULL AS "isGrouped"
FROM users u CROSS JOIN LATERAL (
  SELECT id, started_at, state, linked_turns, cross_thread_episode_id FROM threads
  WHERE user_id = $1 AND linked_turns < $4::int AND turn_count > 0 AND (state <> 'OPEN' OR turn_count > linked_turns)
  ORDER BY started_at, id LIMIT ${EARLIEST}) AS t
CROSS JOIN indexed
CROSS JOIN LATERAL (
  SELECT count(*)::int AS turns, max(id) AS last FROM turns
  WHERE user_id = $1 AND thread_id = t.id AND number <= CASE WHEN t.state = 'OPEN' THEN $3 ELSE $4 END
) AS o
WHERE u.user_id = $1 AND o.last <= indexed.through AND (t.state <> 'OPEN' OR o.turns > t.linked_turns AND (
  o.turns = $3 OR NOT EXISTS (SELECT FROM links l WHERE l.user_id = $1 AND l.thread_id = t.id)))
ORDER BY t.started_at, t.id LIMIT 1`,
};

/**
 * The earliest thread that is due to be compared. A thread is due when it has turns, again when it has `opening` of them,
 * and again when it is over; then up to `whole` turns are compared.
 * @param indexes the names of the indexes that must contain its turns
 */
export async function next(
  tx: Tx,
  indexes: readonly string[],
  { opening, whole }: { opening: number; whole: number },
): Promise<ThreadToLink | null> {
  return (await tx.query<ThreadToLink>(NEXT, [tx.userId, indexes, opening, whole]))[0] ?? null;
}
