import { MOST_LISTED } from '../../domain/core/most-listed.ts';
import type { Statement, Tx } from '../core/database.ts';

const FIND: Statement = {
  name: 'threads-with-words',
  text: `
WITH said AS (
  SELECT n.thread_id FROM postings p
  CROSS JOIN LATERAL (SELECT thread_id FROM turns WHERE user_id = $1 AND id = p.turn_id OFFSET 0) AS n
  WHERE p.user_id = $1 AND p.term = ANY($3::text[])
  GROUP BY n.thread_id HAVING count(DISTINCT p.term) = cardinality($3::text[])
)
SELECT id FROM threads
WHERE user_id = $1 AND (strpos(lower(title), lower($2)) > 0 OR id IN (SELECT thread_id FROM said))
ORDER BY last_activity_at DESC, id DESC LIMIT ${MOST_LISTED}`,
};

/**
 * The ids of threads whose title contains a text, or in whose turns each of these terms occurs.
 * @param terms terms of the keyword index
 */
export async function find(tx: Tx, text: string, terms: readonly string[]): Promise<number[]> {
  return (await tx.query<{ id: number }>(FIND, [tx.userId, text, terms])).map(({ id }) => id);
}
