import { MOST_LISTED } from '../../domain/core/most-listed.ts';
import type { Statement, Tx } from '../core/database.ts';
import { fades } from '../kinds/episodes/fades.ts';

const FIND: Statement = {
  name: 'episodes-faded',
  text: `
SELECT e.id FROM episodes e
WHERE e.user_id = $1 AND ${fades('e')} AND e.stability IS NOT NULL AND e.difficulty IS NOT NULL
  AND extract(epoch FROM $2::timestamptz - greatest(e.last_reviewed_at, e.ended_at)) > $3::float8 * e.stability * 86400
ORDER BY e.ended_at DESC, e.id DESC LIMIT ${MOST_LISTED}`,
};

/**
 * The ids of captured and cross-thread episodes whose last review is longer ago than a multiple of their stability.
 * @param stabilities the multiple
 */
export async function faded(tx: Tx, now: Date, stabilities: number): Promise<number[]> {
  return (await tx.query<{ id: number }>(FIND, [tx.userId, now, stabilities])).map(({ id }) => id);
}
