import type pg from 'pg';

/** Leaves out tables of vectors: they contain no words, and their index takes long to build. */
const TABLES = `
SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
WHERE relname NOT LIKE '%\\_vectors' ORDER BY relid`;

/**
 * Rewrites every table that contains words, and discards the old files and the write-ahead log, so that deleted rows are in
 * no file of the data folder. VACUUM alone leaves the bytes in the pages, and statistics keep frequent words. It rewrites
 * one table at a time; other clients get their turn in between.
 * @returns false if `isStopping` ended it early
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
