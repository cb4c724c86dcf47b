import type { Statement, Tx } from '../core/database.ts';

/** The most episodes that are found by how far they have faded: the latest. */
const MOST = 10_000;

const FIND: Statement = {
  name: 'episodes-faded',
  text: `
SELECT id FROM episodes
WHERE user_id = $1 AND (capture = 'CREATED' OR kind = 'CROSS_THREAD') AND stability IS NOT NULL AND difficulty IS NOT NULL
  AND extract(epoch FROM $2::timestamptz - greatest(last_reviewed_at, ended_at)) > $3::float8 * stability * 86400
ORDER BY ended_at DESC, id DESC LIMIT ${MOST}`,
};

/**
 * The ids of captured and cross-thread episodes whose last review is longer ago than a multiple of their stability.
 * @param stabilities the multiple
 */
export async function faded(tx: Tx, now: Date, stabilities: number): Promise<number[]> {
  return (await tx.query<{ id: number }>(FIND, [tx.userId, now, stabilities])).map(({ id }) => id);
}
