import type pg from 'pg';

/** Tables of vectors contain no words, and their index takes long to build. */
const TABLES = `
SELECT relid, format('%I.%I', schemaname, relname) AS name, relname LIKE '%\\_vectors' AS "isVectors"
FROM pg_stat_user_tables ORDER BY relid`;

/**
 * Rewrites every table that contains words, and discards the old files and the write-ahead log, so that deleted rows are in
 * no file of the data folder. VACUUM alone leaves the bytes in the pages, and statistics keep frequent words. It rewrites
 * one table at a time; other clients get their turn in between.
 * @returns false if `isStopping` ended it early
 */
export async function scrub(client: pg.Client, isStopping: () => boolean): Promise<boolean> {
  const { rows } = await client.query<{ relid: number; name: string; isVectors: boolean }>(TABLES);
  for (const { relid, name, isVectors } of rows) {
    if (isStopping()) return false;
    // ANALYZE keeps the statistics of an empty table. They are deleted table by table, since plans without any are slow.
    await client.query('DELETE FROM pg_statistic WHERE starelid = $1', [relid]);
    await client.query(isVectors ? `ANALYZE ${name}` : `VACUUM (FULL, ANALYZE) ${name}`);
  }
  await client.query('VACUUM FULL pg_statistic');
  await client.query('SELECT pg_switch_wal()');
  await client.query('CHECKPOINT');
  return true;
}
