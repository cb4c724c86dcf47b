import pg from 'pg';
import { isCitus } from '../support/citus.ts';
import { median, runInFlight } from '../support/measure.ts';

const DIMENSION = 384;

const DISTRIBUTE = `
SELECT create_distributed_table('bench_bare_writes', 'user_id')
WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'bench_bare_writes'::regclass)`;

/**
 * The reference for `remember`: the least that any memory in PostgreSQL does to store a message, one prepared INSERT of its text
 * and vector over an open connection, in a transaction of its own. No HTTP, no threads, no events. On Citus the table is distributed, too.
 * @param databaseUrl the database in which the server writes, so that both share its disk and settings
 */
export async function measureBareWrites(
  databaseUrl: string,
  { single, concurrent, inFlight }: { single: number; concurrent: number; inFlight: number },
): Promise<{ p50Ms: number; perSecond: number }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: inFlight });
  const vector = `[${Array.from({ length: DIMENSION }, (_, index) => Math.sin(index).toFixed(4)).join(',')}]`;
  const insert = (index: number) =>
    pool.query({
      name: 'bench-bare-write',
      text: 'INSERT INTO bench_bare_writes (user_id, text, embedding) VALUES ($1, $2, $3)',
      values: [
        `user-${index % 20}`,
        `A message of usual length about one thing or another, number ${index}.`,
        vector,
      ],
    });
  try {
    await pool.query(`CREATE TABLE IF NOT EXISTS bench_bare_writes (
      user_id text, id bigint GENERATED ALWAYS AS IDENTITY, text text, embedding halfvec(${DIMENSION}), PRIMARY KEY (user_id, id))`);
    if (await isCitus(databaseUrl)) await pool.query(DISTRIBUTE);
    await runInFlight(inFlight * 4, inFlight, insert);
    const times = await runInFlight(single, 1, insert);
    const start = performance.now();
    await runInFlight(concurrent, inFlight, insert);
    return {
      p50Ms: median(times),
      perSecond: concurrent / ((performance.now() - start) / 1_000),
    };
  } finally {
    await pool.end();
  }
}
