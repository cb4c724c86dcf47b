import type pg from 'pg';

/** How long a statement waits for a connection to PostgreSQL, in milliseconds. */
export const CONNECT_WITHIN = 15_000;

/** The configuration of a pool of at most `max` connections to a PostgreSQL server. */
export const onServer = (connectionString: string, max: number): pg.PoolConfig => ({
  connectionString,
  max,
  connectionTimeoutMillis: CONNECT_WITHIN,
});
