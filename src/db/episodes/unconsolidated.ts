import { FLASHBULB } from '../../domain/episodes/forgetting.ts';
import type { Stretch } from '../../domain/turns/stretch.ts';
import type { Statement, Tx } from '../core/database.ts';

/** An episode that was not consolidated since its summary was last written. */
export type UnconsolidatedEpisode = {
  id: number;
  summary: string;
  /** Its own turns, and those of the segments merged into it. */
  stretches: Stretch[];
};

/** The episodes to consolidate next. */
export type Unconsolidated = {
  /** The erase epoch under which this was read. */
  epoch: number;
  /** All unconsolidated episodes, and the flashbulbs among them, which do not wait for more. */
  count: number;
  flashbulbs: number;
  /** The earliest of them, as many as are taken at once. */
  episodes: UnconsolidatedEpisode[];
};

/** The most episodes and turns that are taken at once; at least one episode is taken. */
const MOST = { episodes: 10, turns: 150 };

const NEXT: Statement = {
  name: 'unconsolidated-next',
  text: `
WITH waiting AS MATERIALIZED (
  SELECT id, summary, surprise, ended_at FROM episodes
  WHERE user_id = $1 AND capture = 'CREATED' AND summary IS NOT NULL AND consolidated_at IS NULL
), earliest AS (
  SELECT id, summary, ended_at FROM waiting ORDER BY ended_at, id LIMIT ${MOST.episodes}
), measured AS (
  SELECT w.id, w.summary, w.ended_at, sum(p.last_turn - p.first_turn + 1) AS turns,
    json_agg(json_build_object('threadId', p.thread_id, 'from', p.first_turn, 'to', p.last_turn)) AS stretches
  FROM earliest w JOIN episodes p ON p.user_id = $1 AND (p.id = w.id OR p.merged_into_id = w.id)
  GROUP BY w.id, w.summary, w.ended_at
), counted AS (
  SELECT *, row_number() OVER before AS place, sum(turns) OVER before AS through
  FROM measured WINDOW before AS (ORDER BY ended_at, id)
)
SELECT u.erase_epoch AS epoch, (SELECT count(*)::int FROM waiting) AS count,
  (SELECT count(*)::int FROM waiting WHERE surprise >= ${FLASHBULB}) AS flashbulbs, (
    SELECT coalesce(json_agg(json_build_object('id', id, 'summary', summary, 'stretches', stretches)
      ORDER BY place), '[]')
    FROM counted WHERE place = 1 OR through <= ${MOST.turns}
  ) AS episodes
FROM users u WHERE u.user_id = $1`,
};

/** Reads the episodes to consolidate next; null for an unknown user. */
export async function next(tx: Tx): Promise<Unconsolidated | null> {
  return (await tx.query<Unconsolidated>(NEXT, [tx.userId]))[0] ?? null;
}

const MARK: Statement = {
  name: 'unconsolidated-mark',
  text: `
UPDATE episodes e SET consolidated_at = $3
FROM json_to_recordset($2::json) AS shown(id int, summary text)
WHERE e.user_id = $1 AND e.id = shown.id AND e.summary = shown.summary AND e.capture = 'CREATED'
  AND e.consolidated_at IS NULL
RETURNING e.id`,
};

/**
 * Marks episodes as consolidated. The user's row must be locked.
 * @returns false if one of them changed meanwhile; the caller must then store nothing
 */
export async function mark(
  tx: Tx,
  read: readonly UnconsolidatedEpisode[],
  now: Date,
): Promise<boolean> {
  const shown = JSON.stringify(read.map(({ id, summary }) => ({ id, summary })));
  return (await tx.query(MARK, [tx.userId, shown, now])).length === read.length;
}
