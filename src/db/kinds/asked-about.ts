/** Whether a recall is not restricted to some turns. */
export const anyTurn = '$9::int[] IS NULL AND $10::text[] IS NULL AND $11::text[] IS NULL';

/** Whether the turn `t` is among those that a recall is restricted to. */
export const saidBy = `($9::int[] IS NULL OR t.thread_id = ANY ($9)) AND ($10::text[] IS NULL OR t.channel = ANY ($10))
      AND ($11::text[] IS NULL OR t.speaker = ANY ($11))`;

/** What lasted from `started_at` to `ended_at` touches the time asked about, and was over at the moment of the question. */
export const within = (row: string): string =>
  `($6::timestamptz IS NULL OR ${row}.ended_at >= $6) AND ($7::timestamptz IS NULL OR ${row}.started_at < $7)
    AND ($8::timestamptz IS NULL OR ${row}.ended_at <= $8)`;

/** One of an episode's turns is among those asked about. */
export const saidWithin = (episode: string): string =>
  `(${anyTurn} OR EXISTS (
      SELECT FROM turns t WHERE t.user_id = $1 AND t.thread_id = ${episode}.thread_id
        AND t.number BETWEEN ${episode}.first_turn AND ${episode}.last_turn AND ${saidBy}))`;
