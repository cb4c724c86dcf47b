import { CONTEXT_TURNS, TURNS_AT_ONCE } from '../../../domain/facts/fact.ts';

/**
 * The turns that may have been read together with forgotten ones ($2), as parts of a statement. `near_by_rules`: by the built-in
 * rules, which are shown the turns before in the thread, or a segment as a whole. `near_by_model`: by a model too, which mixes what it reads in
 * one request: the new turns of several threads, or episodes that were consolidated at the same time.
 *
 * Not covered: an episode that was rewritten since then, because segments were merged into it or turns of it forgotten. It is
 * found together with the episodes of its last consolidation only.
 */
export const READ_TOGETHER = `
gone AS MATERIALIZED (
  SELECT id, thread_id, number FROM turns WHERE user_id = $1 AND id = ANY($2::int[])
), shown_after AS MATERIALIZED (
  SELECT DISTINCT t.id FROM gone g JOIN turns t ON t.user_id = $1 AND t.thread_id = g.thread_id
    AND t.number BETWEEN g.number AND g.number + ${CONTEXT_TURNS}
), hit_segments AS MATERIALIZED (
  SELECT DISTINCT s.id, coalesce(s.merged_into_id, s.id) AS episode_id, s.thread_id, s.first_turn, s.last_turn
  FROM gone g JOIN episodes s ON s.user_id = $1 AND s.thread_id = g.thread_id AND g.number BETWEEN s.first_turn AND s.last_turn
  WHERE s.kind = 'SEGMENT'
), together AS MATERIALIZED (
  SELECT e.id FROM episodes e WHERE e.user_id = $1 AND (e.id IN (SELECT episode_id FROM hit_segments) OR e.consolidated_at IN (
    SELECT h.consolidated_at FROM episodes h WHERE h.user_id = $1 AND h.id IN (SELECT episode_id FROM hit_segments)))
), near_by_rules AS MATERIALIZED (
  SELECT id FROM shown_after
  UNION SELECT t.id FROM hit_segments s JOIN turns t ON t.user_id = $1 AND t.thread_id = s.thread_id
    AND t.number BETWEEN s.first_turn AND s.last_turn
), near_by_model AS MATERIALIZED (
  SELECT id FROM near_by_rules
  UNION SELECT n.id FROM shown_after a CROSS JOIN LATERAL (
    (SELECT t.id FROM turns t WHERE t.user_id = $1 AND t.id < a.id ORDER BY t.id DESC LIMIT ${TURNS_AT_ONCE - 1})
    UNION ALL (SELECT t.id FROM turns t WHERE t.user_id = $1 AND t.id > a.id ORDER BY t.id LIMIT ${TURNS_AT_ONCE - 1})) AS n
  UNION SELECT t.id FROM episodes s JOIN turns t ON t.user_id = $1 AND t.thread_id = s.thread_id
    AND t.number BETWEEN s.first_turn AND s.last_turn
  WHERE s.user_id = $1 AND s.kind = 'SEGMENT' AND coalesce(s.merged_into_id, s.id) IN (SELECT id FROM together)
)`;
