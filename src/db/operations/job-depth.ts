import type { StepDepth } from '../../observability/job-metrics.ts';
import type { Database, Statement } from '../core/database.ts';

const READ: Statement = {
  name: 'job-depth',
  text: `
WITH states AS (
  SELECT step, run_at, CASE
      WHEN dead_at IS NOT NULL THEN 'dead'
      WHEN locked_until >= $1 THEN 'running'
      WHEN parked_at IS NOT NULL THEN 'parked'
      WHEN run_at > $1 THEN 'later'
      ELSE 'due'
    END AS state
  FROM jobs
)
SELECT step,
  count(*) FILTER (WHERE state = 'due')::int AS due,
  count(*) FILTER (WHERE state = 'later')::int AS later,
  count(*) FILTER (WHERE state = 'running')::int AS running,
  count(*) FILTER (WHERE state = 'parked')::int AS parked,
  count(*) FILTER (WHERE state = 'dead')::int AS dead,
  coalesce(extract(epoch FROM $1 - min(run_at) FILTER (WHERE state = 'due')), 0)::float8 AS age
FROM states GROUP BY step`,
};

/** The jobs of all users, by step; without the steps that have none. */
export const read = (db: Database, now: Date): Promise<StepDepth[]> =>
  db.system<StepDepth>(READ, [now]);
