import type { Statement, Tx } from '../core/database.ts';

/** An episode that contains nothing beyond facts, and the facts that its turns state. */
export type MisplacedEpisode = { episodeId: number; factIds: number[] };

/** How many are returned at a time. */
const MOST = 100;

const FIND: Statement = {
  name: 'misplaced-episodes-find',
  text: `
SELECT e.id AS "episodeId", array_agg(DISTINCT f.id) AS "factIds"
FROM episodes e
CROSS JOIN LATERAL (
  SELECT id FROM turns WHERE user_id = $1 AND thread_id = e.thread_id AND number BETWEEN e.first_turn AND e.last_turn OFFSET 0) AS t
JOIN fact_sources s ON s.user_id = e.user_id AND s.turn_id = t.id
JOIN facts f ON f.user_id = e.user_id AND f.id = s.fact_id AND f.retracted_at IS NULL
WHERE e.user_id = $1 AND e.capture = 'CREATED' AND (e.capture_signals->>'factShare')::float8 >= $2
  AND (e.capture_signals->>'notability')::float8 < $3 AND ($4::int[] IS NULL OR e.id = ANY($4))
  AND NOT EXISTS (SELECT FROM episodes part WHERE part.user_id = $1 AND part.merged_into_id = e.id)
GROUP BY e.id, e.ended_at ORDER BY e.ended_at, e.id LIMIT ${MOST}`,
};

/**
 * Finds episodes that the current rules would skip as fact updates and whose facts are stored, the earliest first.
 * @param factShare the smallest share of facts, 0-1
 * @param notability their notability is below this, 0-1
 * @param among the episodes to consider; null = all
 */
export const find = (
  tx: Tx,
  { factShare, notability }: { factShare: number; notability: number },
  among: readonly number[] | null,
): Promise<MisplacedEpisode[]> => tx.query(FIND, [tx.userId, factShare, notability, among]);

const SKIP: Statement = {
  name: 'misplaced-episodes-skip',
  text: `
UPDATE episodes SET capture = 'SKIPPED', capture_reason = 'fact update', stability = NULL, difficulty = NULL
WHERE user_id = $1 AND id = ANY($2::int[]) AND capture = 'CREATED'
RETURNING id, thread_id AS "threadId", first_turn AS "firstTurn", last_turn AS "lastTurn"`,
};

/** Sets episodes to SKIPPED; their texts and turns stay. The user's row must be locked. */
export const skip = (
  tx: Tx,
  ids: readonly number[],
): Promise<{ id: number; threadId: number; firstTurn: number; lastTurn: number }[]> =>
  tx.query(SKIP, [tx.userId, ids]);
