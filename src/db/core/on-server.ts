import type pg from 'pg';

/** How long a statement waits for a connection to PostgreSQL, in milliseconds. */
export const CONNECT_WITHIN = 15_000;

/**
 * How long a connection stays open that nobody uses, in milliseconds. Each new one plans every statement again, up to six times,
 * which takes as long as executing it.
 */
const IDLE_FOR = 300_000;

/** The configuration of a pool of at most `max` connections to a PostgreSQL server. */
export const onServer = (connectionString: string, max: number): pg.PoolConfig => ({
  connectionString,
  max,
  connectionTimeoutMillis: CONNECT_WITHIN,
  idleTimeoutMillis: IDLE_FOR,
});
