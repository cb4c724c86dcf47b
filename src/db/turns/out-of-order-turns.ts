import type { Statement, Tx } from '../core/database.ts';

/**
 * Renumbers closed segments for the late turns before them. A segment that gets a turn becomes PENDING, to be captured again,
 * and its surprise is worked out anew.
 * A turn between two segments goes to the earlier one. Summaries count as covering only the turns before the first late one.
 * It relies on the numbers of turns from before the late ones are stored.
 */
const MAKE_ROOM: Statement = {
  name: 'out-of-order-turns-room',
  text: `
WITH late AS MATERIALIZED (
  SELECT * FROM unnest($2::int[], $3::timestamptz[]) AS l(thread_id, at)
), bounds AS MATERIALIZED (
  SELECT e.id, e.thread_id, e.first_turn, e.last_turn, opening.occurred_at AS opens, behind.occurred_at AS closes
  FROM episodes e JOIN threads t ON t.user_id = e.user_id AND t.id = e.thread_id
  JOIN turns opening ON opening.user_id = e.user_id AND opening.thread_id = e.thread_id AND opening.number = e.first_turn
  JOIN turns behind ON behind.user_id = e.user_id AND behind.thread_id = e.thread_id
    AND behind.number = least(e.last_turn + 1, t.segmented_through)
  WHERE e.user_id = $1 AND e.kind = 'SEGMENT' AND e.thread_id IN (SELECT thread_id FROM late)
), moved AS MATERIALIZED (
  SELECT b.id, b.first_turn + (CASE WHEN b.first_turn = 1 THEN 0 ELSE
      (SELECT count(*) FROM late l WHERE l.thread_id = b.thread_id AND l.at < b.opens) END)::int AS first_turn,
    b.last_turn + (SELECT count(*) FROM late l WHERE l.thread_id = b.thread_id AND l.at < b.closes)::int AS last_turn,
    b.last_turn - b.first_turn AS length, own.first_at, own.last_at
  FROM bounds b LEFT JOIN LATERAL (
    SELECT min(l.at) AS first_at, max(l.at) AS last_at FROM late l
    WHERE l.thread_id = b.thread_id AND l.at < b.closes AND (b.first_turn = 1 OR l.at >= b.opens)) AS own ON true
), advanced AS (
  UPDATE threads t SET late_turns = late_turns + (SELECT count(*) FROM late l WHERE l.thread_id = t.id),
    segmented_through = segmented_through + (
      SELECT count(*) FROM late l JOIN turns last ON last.user_id = $1 AND last.thread_id = t.id
        AND last.number = t.segmented_through WHERE l.thread_id = t.id AND l.at < last.occurred_at),
    compacted_through = least(compacted_through, (
      SELECT count(*) FROM turns s WHERE s.user_id = $1 AND s.thread_id = t.id
        AND s.occurred_at <= (SELECT min(l.at) FROM late l WHERE l.thread_id = t.id)))
  WHERE t.user_id = $1 AND t.id IN (SELECT thread_id FROM late)
), shown AS (
  UPDATE skills s SET evidence_turns = ARRAY(
    SELECT n + (SELECT count(*) FROM late l WHERE l.thread_id = p.thread_id AND l.at < t.occurred_at)::int
    FROM unnest(s.evidence_turns) AS n
    JOIN turns t ON t.user_id = $1 AND t.thread_id = p.thread_id AND t.number = n ORDER BY n)
  FROM episodes p
  WHERE s.user_id = $1 AND p.user_id = $1 AND p.id = s.episode_id AND p.thread_id IN (SELECT thread_id FROM late)
), primaries AS (
  UPDATE episodes e SET last_turn = e.last_turn + (
    SELECT count(*) FROM late l JOIN turns last ON last.user_id = $1 AND last.thread_id = e.thread_id
      AND last.number = e.last_turn WHERE l.thread_id = e.thread_id AND l.at < last.occurred_at)
  WHERE e.user_id = $1 AND e.kind = 'PRIMARY' AND e.thread_id IN (SELECT thread_id FROM late)
)
UPDATE episodes e SET first_turn = m.first_turn, last_turn = m.last_turn, started_at = least(e.started_at, m.first_at),
  ended_at = greatest(e.ended_at, m.last_at),
  capture = CASE WHEN m.last_turn - m.first_turn > m.length THEN 'PENDING' ELSE e.capture END,
  description = CASE WHEN m.last_turn - m.first_turn > m.length THEN NULL ELSE e.description END,
  surprise = CASE WHEN m.last_turn - m.first_turn > m.length THEN NULL ELSE e.surprise END
FROM moved m WHERE e.user_id = $1 AND e.id = m.id`,
};

/** Makes room in closed segments for late turns. Call it before they are stored. */
export const makeRoom = (
  tx: Tx,
  turns: readonly { threadId: number; occurredAt: Date }[],
): Promise<object[]> =>
  tx.query(MAKE_ROOM, [
    tx.userId,
    turns.map(({ threadId }) => threadId),
    turns.map(({ occurredAt }) => occurredAt),
  ]);
