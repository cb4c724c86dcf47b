import type { Statement, Tx } from '../core/database.ts';

const UNSAID: Statement = {
  name: 'links-unsaid',
  text: `
WITH gone AS MATERIALIZED (
  SELECT thread_id, number FROM turns WHERE user_id = $1 AND id = ANY($3::int[]) AND role = 'USER'
)
SELECT l.id FROM links l WHERE l.user_id = $1 AND l.outcome <> 'UNKNOWN' AND l.sign <> 'RATED'
  AND (l.thread_id = ANY($2::int[]) OR l.earlier_thread_id = ANY($2::int[]))
  AND (l.sign NOT IN ('DENIED', 'ASKED_BACK') OR EXISTS (
    SELECT FROM gone g WHERE g.thread_id = l.thread_id AND g.number > l.turns))`,
};

/**
 * The links of some threads whose outcome may rest on turns that are about to be forgotten: on what the user said after the decision
 * or, where nobody said outright that it was wrong, on any turn of the two threads. A rating by hand rests on none.
 */
export async function unsaidBy(
  tx: Tx,
  threadIds: readonly number[],
  turnIds: readonly number[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(UNSAID, [tx.userId, threadIds, turnIds]);
  return rows.map(({ id }) => id);
}
