import type { Database, Statement } from '../../src/db/core/database.ts';

/** The tables that a recall reads, in an order in which they can be copied. */
const TABLES = [
  'users',
  'threads',
  'turns',
  'turn_vectors',
  'postings',
  'index_progress',
  'episodes',
  'episode_vectors',
  'facts',
  'fact_vectors',
] as const;

const COLUMNS: Statement = {
  name: 'bench-columns',
  text: `
SELECT table_name AS "table", string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ANY ($1) AND column_name <> 'user_id' AND is_generated = 'NEVER'
GROUP BY 1`,
};

/** Copies a memory to other users until the copies together have at least `turns` turns. */
export async function fillBeside(db: Database, userId: string, turns: number): Promise<void> {
  const { rows } = await db.pool.query<{ count: number }>(
    'SELECT greatest(turn_count, 1) AS count FROM users WHERE user_id = $1',
    [userId],
  );
  const copies = Math.ceil(turns / (rows[0]?.count ?? 1));
  const columns = await db.system<{ table: string; columns: string }>(COLUMNS, [[...TABLES]]);
  const columnsOf = new Map(columns.map((row) => [row.table, row.columns]));
  const client = await db.pool.connect();
  try {
    // Threads and episodes refer to each other, so foreign keys are not checked while copying.
    await client.query(`BEGIN; SET LOCAL session_replication_role = 'replica'`);
    for (const table of TABLES) {
      const own = columnsOf.get(table);
      await client.query(
        `INSERT INTO ${table} (user_id, ${own})
         SELECT 'beside-' || copy, ${own} FROM ${table}, generate_series(1, $2::int) AS copy WHERE user_id = $1`,
        [userId, copies],
      );
    }
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
  }
}
