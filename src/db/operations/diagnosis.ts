import pg from 'pg';
import { pendingMigrations } from '../core/migrate.ts';

/** What an operator should know of a PostgreSQL database before or while Mnemograph uses it. */
export type Diagnosis = {
  /** The version of PostgreSQL. */
  server: string;
  /** How far this machine's clock is ahead of that of the database, in seconds; negative if it is behind. */
  clockAhead: number;
  /** The version of pgvector in this database; null if it is not installed in it yet. */
  vector: string | null;
  /** The version of pgvector that the server could install; null if it has none. */
  vectorAvailable: string | null;
  /** Migrations that are not applied yet. */
  pending: string[];
  /** Null before the migrations are applied. */
  contents: Contents | null;
};

type Contents = {
  /** API keys that are valid. */
  keys: number;
  /** The embedders that made the vectors, with the number of users who have some of each. */
  embedders: { name: string; users: number }[];
  deadJobs: number;
  /** Jobs that are due, scheduled, running or parked. */
  backlog: number;
  /** How long the oldest due job has waited, in seconds. */
  waited: number;
};

const WITHIN = 5_000;

const VERSIONS = `
SELECT current_setting('server_version') AS server, extract(epoch FROM $1::timestamptz - clock_timestamp())::float8 AS "clockAhead",
  (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
  (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS "vectorAvailable"`;

const COUNTS = `
SELECT keys, "deadJobs", backlog, waited FROM (
  SELECT count(*)::int AS keys FROM api_keys WHERE revoked_at IS NULL
) AS k, (
  SELECT count(*) FILTER (WHERE dead_at IS NOT NULL)::int AS "deadJobs", count(*) FILTER (WHERE dead_at IS NULL)::int AS backlog,
    coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at <= now() AND dead_at IS NULL AND parked_at IS NULL
      AND (locked_until IS NULL OR locked_until < now()))), 0)::float8 AS waited
  FROM jobs
) AS j`;

const EMBEDDERS = `
SELECT substr(index_name, length('vectors:') + 1) AS name, count(*)::int AS users
FROM index_progress WHERE index_name LIKE 'vectors:%' GROUP BY index_name ORDER BY users DESC, name`;

/**
 * Looks at a database in a transaction that cannot write.
 * @throws MigrationError when the migrations are not those of this version, or an error of `pg`
 */
export async function diagnose(connection: pg.PoolConfig): Promise<Diagnosis> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: WITHIN,
    query_timeout: WITHIN,
  });
  // A connection that is lost is told by the query that it interrupts.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN READ ONLY');
    const { rows } = await client.query(VERSIONS, [new Date()]);
    const versions = rows[0] as Pick<
      Diagnosis,
      'server' | 'clockAhead' | 'vector' | 'vectorAvailable'
    >;
    const pending = await pendingMigrations(client);
    if (pending.length > 0) return { ...versions, pending, contents: null };
    const counts = (await client.query(COUNTS)).rows[0] as Omit<Contents, 'embedders'>;
    const embedders = (await client.query(EMBEDDERS)).rows as Contents['embedders'];
    return { ...versions, pending, contents: { ...counts, embedders } };
  } finally {
    await client.end();
  }
}
