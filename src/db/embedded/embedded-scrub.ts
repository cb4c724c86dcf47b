import type pg from 'pg';

/** Vectors hold no words, and their index takes long to make. */
const TABLES = `
SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
WHERE relname NOT LIKE '%\\_vectors' ORDER BY relid`;

/**
 * Writes every table of words anew and throws the old files and the log of writes away, so that what was deleted is in none of the
 * data folder's files: VACUUM alone leaves the bytes in the pages, and statistics keep frequent words. One table at a
 * time, between which others take their turn.
 * @returns false when it was to stop on the way
 */
export async function scrub(client: pg.Client, isStopping: () => boolean): Promise<boolean> {
  await client.query('DELETE FROM pg_statistic');
  const { rows } = await client.query<{ name: string }>(TABLES);
  for (const { name } of rows) {
    if (isStopping()) return false;
    await client.query(`VACUUM (FULL, ANALYZE) ${name}`);
  }
  await client.query('VACUUM FULL pg_statistic');
  await client.query('SELECT pg_switch_wal()');
  await client.query('CHECKPOINT');
  return true;
}
