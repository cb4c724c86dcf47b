import pg from 'pg';

const EVERY_MS = 15_000;
const WAL_LIMIT_BYTES = 32 * 1024 * 1024;

/** PostgreSQL's own defaults for autovacuum, on the statistics it keeps in single-user mode too. */
const WORN_TABLE = `
  SELECT format('%I.%I', schemaname, stat.relname) AS name
  FROM pg_stat_user_tables stat JOIN pg_class ON pg_class.oid = relid
  WHERE n_dead_tup > 50 + .2 * greatest(reltuples, 0)
     OR n_mod_since_analyze > 50 + .1 * greatest(reltuples, 0)
     OR n_ins_since_vacuum > 1000 + .2 * greatest(reltuples, 0)
  ORDER BY n_dead_tup + n_mod_since_analyze DESC LIMIT 1`;

const WAL_BYTES = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`;

/**
 * Does what PostgreSQL's background processes do and PGlite, having none, does not: checkpoints
 * (or `pg_wal` grows for ever), and vacuum and analyze of the one table that needs it most.
 * As one more client, it never runs inside somebody's transaction.
 */
export function startHousekeeping(connection: pg.PoolConfig): AsyncDisposable {
  let client: pg.Client | undefined;
  let round: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    if (!client) {
      client = new pg.Client(connection);
      await client.connect();
    }
    const worn = await client.query<{ name: string }>(WORN_TABLE);
    for (const { name } of worn.rows) await client.query(`VACUUM (ANALYZE) ${name}`);
    const wal = await client.query<{ bytes: number }>(WAL_BYTES);
    if ((wal.rows[0]?.bytes ?? 0) > WAL_LIMIT_BYTES) await client.query('CHECKPOINT');
  }

  const timer = setInterval(() => {
    round = round.then(tidy);
  }, EVERY_MS);

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await round;
      await client?.end();
    },
  };
}
