import { STEPS } from '../../pipeline.ts';
import type { Database, Statement } from '../core/database.ts';
import { insertJobsSql } from '../operations/jobs.ts';

// The statements of vector-index.ts that look at all users, for distributed tables: each shard looks at its own users.

const SLICE: Statement = {
  name: 'vector-index-slice',
  text: `
SELECT max(user_id) AS last FROM (SELECT user_id FROM users WHERE user_id > $1 ORDER BY user_id LIMIT $2) AS slice`,
};

const BEHIND: Statement = {
  name: 'vector-index-behind',
  text: `
SELECT u.user_id AS "userId"
FROM users u
LEFT JOIN (
  SELECT user_id, max(through) FILTER (WHERE index_name = $4) AS through, bool_or(index_name <> $4) AS has_former
  FROM index_progress WHERE user_id > $1 AND user_id <= $2 AND index_name LIKE 'vectors:%' GROUP BY user_id
) p ON p.user_id = u.user_id
LEFT JOIN (
  SELECT user_id, max(id) AS last FROM turns WHERE user_id > $1 AND user_id <= $2 GROUP BY user_id
) t ON t.user_id = u.user_id
WHERE u.user_id > $1 AND u.user_id <= $2 AND (p.has_former OR t.last > coalesce(p.through, 0))
ORDER BY 1 LIMIT $3`,
};

/** What happens to a job that is stored already, if dead jobs are to be tried again. */
export const REVIVED = `UPDATE SET dead_at = NULL, attempts = 0, run_at = excluded.run_at, triggers = jobs.triggers + 1
    WHERE jobs.dead_at IS NOT NULL`;

/**
 * The jobs of users, given as SQL, that embed all that has no vector. What is not a turn waits until the turns have theirs
 * (`vectorsCompleted`).
 */
export const jobsOf = (users: string, now: string): string => `
  SELECT user_id, step, 0, run_at FROM ${users} CROSS JOIN (VALUES ('${STEPS.embedTurns}', ${now}::timestamptz),
    ('${STEPS.embedEpisodes}', ${now}::timestamptz + interval '1 day'), ('${STEPS.embedFacts}', ${now}::timestamptz + interval '1 day')) AS j(step, run_at)`;

const ROWS = jobsOf('unnest($1::text[]) AS behind(user_id)', '$2');

const QUEUE: Statement = { name: 'vector-index-queue', text: insertJobsSql(ROWS, 'NOTHING') };
const REVIVE: Statement = { name: 'vector-index-revive', text: insertJobsSql(ROWS, REVIVED) };

/** As `queueOutdated` in vector-index.ts, but of turns only. */
export async function queueOutdatedOnShards(
  db: Database,
  index: string,
  slice: { after: string; look: number; queue: number; revive: boolean },
  now: Date,
): Promise<{ behind: number; last: string | null }> {
  const { after, look, queue, revive } = slice;
  const [end] = await db.system<{ last: string | null }>(SLICE, [after, look]);
  if (!end?.last) return { behind: 0, last: null };
  const behind = await db.system<{ userId: string }>(BEHIND, [after, end.last, queue, index]);
  if (behind.length === 0) return { behind: 0, last: end.last };
  const userIds = behind.map(({ userId }) => userId);
  await db.system(revive ? REVIVE : QUEUE, [userIds, now]);
  return {
    behind: userIds.length,
    last: userIds.length < queue ? end.last : (userIds.at(-1) ?? null),
  };
}
