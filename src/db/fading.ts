import type { Statement, Tx } from './database.ts';

const FADING: Statement = {
  name: 'fading-of-turns',
  text: `
SELECT q.place::int - 1 AS place, coalesce(whole.stability, s.stability) AS stability,
  coalesce(whole.last_reviewed_at, s.last_reviewed_at, whole.ended_at, s.ended_at) AS at, coalesce(s.surprise, 0) AS surprise
FROM unnest($2::int[], $3::int[]) WITH ORDINALITY AS q (thread_id, number, place)
CROSS JOIN LATERAL (
  SELECT first_turn, stability, last_reviewed_at, ended_at, surprise, merged_into_id FROM episodes
  WHERE user_id = $1 AND thread_id = q.thread_id AND last_turn >= q.number AND kind = 'SEGMENT'
  ORDER BY last_turn LIMIT 1
) AS s
LEFT JOIN episodes AS whole ON whole.user_id = $1 AND whole.id = s.merged_into_id
WHERE s.first_turn <= q.number`,
};

/** How a turn fades: as its segment does, or the episode which that became a part of. */
export type Fading = {
  /** Stability in days; null for a segment that is no episode. */
  stability: number | null;
  /** When FSRS last moved, else when it ended. */
  at: Date;
  /** 0-1. */
  surprise: number;
};

/** By the place in the list how these turns fade; those in no closed segment do not. */
export async function fadingOf(
  tx: Tx,
  userId: string,
  turns: readonly { threadId: number; number: number }[],
): Promise<Map<number, Fading>> {
  const rows = await tx.query<Fading & { place: number }>(FADING, [
    userId,
    turns.map(({ threadId }) => threadId),
    turns.map(({ number }) => number),
  ]);
  return new Map(rows.map(({ place, ...fading }) => [place, fading]));
}
