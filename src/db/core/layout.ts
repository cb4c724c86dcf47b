import pg from 'pg';

/**
 * Where the rows of users are:
 * - `whole`: in plain tables;
 * - `partitions`: in hash partitions by user, in one database;
 * - `distributed`: in shards by user, on the nodes of a Citus cluster.
 */
export type Layout =
  | { kind: 'whole' }
  | { kind: 'partitions'; count: number }
  | { kind: 'distributed'; shards: number };

const IS_CITUS = `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`;

const SHARDS = `SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = to_regclass('users')`;

const PARTITIONS = `
SELECT (SELECT count(*)::int FROM pg_inherits WHERE inhparent = c.oid) AS partitions
FROM pg_class c WHERE c.oid = to_regclass('users') AND c.relkind = 'p'`;

/** How the database keeps the rows of users; null before the first migration. */
export async function readLayout(client: pg.ClientBase): Promise<Layout | null> {
  const one = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows[0];
  const exists = await one<{ there: boolean }>(`SELECT to_regclass('users') IS NOT NULL AS there`);
  if (!exists?.there) return null;
  if ((await one<{ citus: boolean }>(IS_CITUS))?.citus) {
    const shards = (await one<{ shards: number }>(SHARDS))?.shards ?? 0;
    if (shards > 0) return { kind: 'distributed', shards };
  }
  const partitions = await one<{ partitions: number }>(PARTITIONS);
  return partitions ? { kind: 'partitions', count: partitions.partitions } : { kind: 'whole' };
}

/** The layout of an embedded database, and of one before the first migration. */
export const WHOLE: Layout = { kind: 'whole' };

/** How the database of a server keeps the rows of users. */
export async function readLayoutOf(connection: pg.PoolConfig): Promise<Layout> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await readLayout(client)) ?? WHOLE;
  } finally {
    await client.end();
  }
}

/** The layout in words. */
export function describeLayout(layout: Layout): string {
  if (layout.kind === 'partitions') return `in ${layout.count} partitions`;
  return layout.kind === 'distributed' ? `distributed over ${layout.shards} shards` : 'whole';
}
