import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { isCitus } from '../support/citus.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** The size of a server's tables and indexes on disk, in bytes. For the embedded database, that of its `base` folder. */
export async function diskSize({
  databaseUrl,
  dataDir,
}: Pick<ServerProcess, 'databaseUrl' | 'dataDir'>): Promise<number> {
  if (!databaseUrl) return folderSize(dataDir);
  const sizes = await tableSizes(databaseUrl);
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

const SIZE_OF_SHARDS = `CASE WHEN EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = oid)
  THEN citus_total_relation_size(oid) ELSE pg_total_relation_size(oid) END`;

/** The size of each table with its indexes, in bytes, the largest first. */
export async function tableSizes(databaseUrl: string): Promise<Map<string, number>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const size = (await isCitus(databaseUrl)) ? SIZE_OF_SHARDS : 'pg_total_relation_size(oid)';
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `SELECT relname AS name, ${size} AS bytes FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  } finally {
    await client.end();
  }
}

/** Leaves out the write-ahead log, which has a fixed size and is reused. */
async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  let bytes = 0;
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\/base\//.test(path)) bytes += (await stat(path)).size;
  }
  return bytes;
}
