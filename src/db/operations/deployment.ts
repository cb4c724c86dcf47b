import type { Database, Statement } from '../core/database.ts';

/** How much all memories hold, and the jobs of all users. */
export type DeploymentCounts = {
  users: number;
  turns: number;
  /** Jobs that are due, scheduled, running or parked. */
  backlog: number;
  deadJobs: number;
};

const COUNT: Statement = {
  name: 'deployment-count',
  text: `
SELECT users, turns, backlog, "deadJobs" FROM (
  SELECT count(*)::int AS users, coalesce(sum(turn_count), 0)::float8 AS turns FROM users
) AS u, (
  SELECT count(*) FILTER (WHERE dead_at IS NULL)::int AS backlog, count(*) FILTER (WHERE dead_at IS NOT NULL)::int AS "deadJobs"
  FROM jobs
) AS j`,
};

export async function count(db: Database): Promise<DeploymentCounts> {
  return (await db.system<DeploymentCounts>(COUNT, []))[0] as DeploymentCounts;
}
