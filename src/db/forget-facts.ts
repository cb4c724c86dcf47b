import type { Statement, Tx } from './database.ts';

/**
 * What the forgotten turns alone told is no fact any more. A fact that one of those had ended holds again, up to the next
 * that is left: recursion follows the chain of what took whose place.
 */
const ERASE: Statement = {
  name: 'forget-facts',
  text: `
WITH RECURSIVE doomed AS MATERIALIZED (
  SELECT f.id FROM facts f
  WHERE f.user_id = $1 AND (f.id = $3 OR (
    EXISTS (SELECT FROM fact_sources s WHERE s.user_id = $1 AND s.fact_id = f.id AND s.turn_id = ANY($2::int[]))
    AND NOT EXISTS (
      SELECT FROM fact_sources s WHERE s.user_id = $1 AND s.fact_id = f.id AND s.turn_id <> ALL($2::int[]))))
), heirs AS (
  SELECT f.id, f.superseded_by_id AS heir FROM facts f
  WHERE f.user_id = $1 AND f.superseded_by_id IN (SELECT id FROM doomed) AND f.id NOT IN (SELECT id FROM doomed)
  UNION
  SELECT h.id, f.superseded_by_id FROM heirs h JOIN facts f ON f.user_id = $1 AND f.id = h.heir
  WHERE h.heir IN (SELECT id FROM doomed)
), reopened AS MATERIALIZED (
  SELECT h.id, h.heir, next.valid_from AS valid_to FROM heirs h LEFT JOIN facts next ON next.user_id = $1 AND next.id = h.heir
  WHERE h.heir IS NULL OR h.heir NOT IN (SELECT id FROM doomed)
), ended AS (
  UPDATE fact_versions v SET superseded_at = $4 FROM reopened r
  WHERE v.user_id = $1 AND v.fact_id = r.id AND v.superseded_at IS NULL
), versions AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
  SELECT $1, r.id, (SELECT count(*) + 1 FROM fact_versions v WHERE v.user_id = $1 AND v.fact_id = r.id), 'RESTORED',
    f.valid_from, r.valid_to, $4
  FROM reopened r JOIN facts f ON f.user_id = $1 AND f.id = r.id WHERE f.retracted_at IS NULL
), freed AS (
  UPDATE facts SET active_key = NULL, superseded_by_id = NULL WHERE user_id = $1 AND id IN (SELECT id FROM doomed)
)
UPDATE facts f SET superseded_by_id = r.heir, valid_to = r.valid_to FROM reopened r
WHERE f.user_id = $1 AND f.id = r.id`,
};

const DROP: Statement = {
  name: 'forget-facts-drop',
  text: `
WITH gone AS (
  DELETE FROM facts f WHERE f.user_id = $1 AND (f.id = $3 OR (
    EXISTS (SELECT FROM fact_sources s WHERE s.user_id = $1 AND s.fact_id = f.id AND s.turn_id = ANY($2::int[]))
    AND NOT EXISTS (
      SELECT FROM fact_sources s WHERE s.user_id = $1 AND s.fact_id = f.id AND s.turn_id <> ALL($2::int[]))))
  RETURNING f.id
), unrefused AS (
  UPDATE fact_refusals SET by_fact_id = NULL WHERE user_id = $1 AND by_fact_id IN (SELECT id FROM gone)
)
SELECT (SELECT count(*) FROM gone)::int AS facts,
  (SELECT count(*) FROM fact_vectors v WHERE v.user_id = $1 AND v.fact_id IN (SELECT id FROM gone))::int AS vectors`,
};

/** What holds again is active again, unless something else is by now. */
const REACTIVATE: Statement = {
  name: 'forget-facts-reactivate',
  text: `
UPDATE facts f SET active_key = key WHERE f.user_id = $1 AND f.valid_to IS NULL AND f.retracted_at IS NULL
  AND f.active_key IS NULL AND f.key IS NOT NULL AND NOT EXISTS (
    SELECT FROM facts o WHERE o.user_id = $1 AND o.category = f.category AND o.active_key = f.key)`,
};

/**
 * Erases the facts that the turns alone told, or one fact; runs before the turns go.
 * @returns how many facts and vectors are gone
 */
export async function eraseFacts(
  tx: Tx,
  userId: string,
  { turnIds, factId }: { turnIds: readonly number[]; factId: number | null },
  now: Date,
): Promise<{ facts: number; vectors: number }> {
  await tx.query(ERASE, [userId, turnIds, factId, now]);
  const [gone] = await tx.query<{ facts: number; vectors: number }>(DROP, [
    userId,
    turnIds,
    factId,
  ]);
  if ((gone?.facts ?? 0) > 0) await tx.query(REACTIVATE, [userId]);
  return gone ?? { facts: 0, vectors: 0 };
}
