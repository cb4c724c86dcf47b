import type { Statement, Tx } from '../../core/database.ts';
import type { Erase, Forgetting, Forgotten } from '../erase.ts';

/**
 * What a model has written beside a memory may repeat its words. Some of the memories that are asked for may be gone already: what
 * was made of them counts. A memory without an episode is gone; another loses its text, and is summarised anew.
 */
const ERASE: Statement = {
  name: 'forget-consolidations',
  text: `
WITH RECURSIVE beside AS MATERIALIZED (
  SELECT m.id, c.id AS context_id FROM semantic_memories m CROSS JOIN unnest(m.context_ids) AS c(id) WHERE m.user_id = $1
), touched AS (
  SELECT id FROM unnest($2::int[]) AS lost(id)
  UNION SELECT id FROM semantic_memories WHERE user_id = $1 AND $3::boolean
  UNION SELECT b.id FROM beside b JOIN touched t ON t.id = b.context_id
), gone_vectors AS (
  DELETE FROM semantic_memory_vectors WHERE user_id = $1 AND semantic_memory_id IN (SELECT id FROM touched) RETURNING 1
), gone_profiles AS (
  DELETE FROM profiles WHERE user_id = $1
    AND (source_semantic_ids && ARRAY(SELECT id FROM touched) OR $3::boolean) RETURNING 1
), gone AS (
  DELETE FROM semantic_memories m WHERE m.user_id = $1 AND m.id IN (SELECT id FROM touched) AND NOT EXISTS (
    SELECT FROM episodes e WHERE e.user_id = $1 AND e.summarized_into_id = m.id) RETURNING 1
), erased AS (
  UPDATE semantic_memories m SET summary = NULL, context_ids = '{}', stale_at = $4
  WHERE m.user_id = $1 AND m.id IN (SELECT id FROM touched) AND m.summary IS NOT NULL AND EXISTS (
    SELECT FROM episodes e WHERE e.user_id = $1 AND e.summarized_into_id = m.id) RETURNING 1
)
SELECT (SELECT count(*)::int FROM touched) AS touched, (SELECT count(*)::int FROM gone) + (SELECT count(*)::int FROM erased) AS "semanticMemories",
  (SELECT count(*)::int FROM gone_profiles) AS profiles, (SELECT count(*)::int FROM gone_vectors) AS vectors`,
};

type Gone = Pick<Forgotten, 'semanticMemories' | 'profiles' | 'vectors'>;

/** Erases semantic memories and every version of the profile that was made of them; runs once their episodes are erased. */
async function eraseConsolidations(
  tx: Tx,
  { lost, isAll, now }: Forgetting,
): Promise<Partial<Forgotten>> {
  const values = [tx.userId, lost.SEMANTIC_MEMORY ?? [], isAll, now];
  const [row] = await tx.query<Gone & { touched: number }>(ERASE, values);
  const { touched, ...gone } = row as Gone & { touched: number };
  if (touched > 0) tx.changed('consolidationsForgotten');
  return gone;
}

export const erase: Erase = {
  turns: () => eraseConsolidations,
  named: { row: 'semantic_memories m', id: 'm.id', at: 'm.ended_at', text: 'm.summary' },
};
