/**
 * Whether no segment that ended after a time was merged into an episode, so that its summary contains nothing later.
 * @param episode the alias of the episode's row
 * @param time a parameter, such as "$3"; $1 is the user
 */
export const notMergedAfter = (episode: string, time: string): string =>
  `NOT EXISTS (
    SELECT FROM episodes part
    WHERE part.user_id = $1 AND part.merged_into_id = ${episode}.id AND part.ended_at > ${time} OFFSET 0)`;
