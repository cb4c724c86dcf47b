import type { Database, Statement } from './database.ts';

/** Whether requests can be served and background work makes progress. */
export type Readiness = {
  /** The names of the applied migrations. */
  applied: string[];
  /** How long the oldest due job has waited for a worker, in seconds. */
  waited: number;
};

const READ: Statement = {
  name: 'readiness-read',
  text: `
SELECT
  (SELECT coalesce(array_agg(migration_name), '{}') FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS applied,
  (SELECT coalesce(extract(epoch FROM $1 - min(run_at)), 0)::float8 FROM jobs
    WHERE run_at <= $1 AND dead_at IS NULL AND parked_at IS NULL
      AND (locked_until IS NULL OR locked_until < $1)) AS waited`,
};

export async function read(db: Database, now: Date): Promise<Readiness> {
  const [row] = await db.look<Readiness>(READ, [now]);
  return row as Readiness;
}
