import type { BacklogQueries } from '../kind.ts';

/** How many turns an index has not come to. */
const behind = (
  index: string,
): string => `(SELECT count(*)::int FROM turns WHERE user_id = $1 AND id > coalesce((
    SELECT through FROM index_progress WHERE user_id = $1 AND index_name = ${index}), 0))`;

export const backlog = {
  turnsToIndex: behind(`'keywords'`),
  turnsToEmbed: `CASE WHEN $2::text IS NULL THEN 0 ELSE ${behind('$2')} END`,
} satisfies BacklogQueries;
