import { FLASHBULB } from '../../domain/episodes/forgetting.ts';
import type { Statement, Tx } from '../core/database.ts';
import type { Stretch } from '../turns/turns.ts';

/** An episode from which no facts were taken since it was told last. */
export type UnconsolidatedEpisode = {
  id: number;
  summary: string;
  /** Its own turns, and those of what was merged into it. */
  stretches: Stretch[];
};

/** The episodes from which facts are to be taken next. */
export type Unconsolidated = {
  /** The erase epoch under which this was read. */
  epoch: number;
  /** All that wait, and those of them that cannot wait. */
  count: number;
  flashbulbs: number;
  /** The earliest of them. */
  episodes: UnconsolidatedEpisode[];
};

/** Taken at once: so many episodes, and of so many turns; one at least. */
const MOST = { episodes: 10, turns: 150 };

const NEXT: Statement = {
  name: 'unconsolidated-next',
  text: `
WITH waiting AS MATERIALIZED (
  SELECT id, summary, surprise, ended_at FROM episodes
  WHERE user_id = $1 AND capture = 'CREATED' AND summary IS NOT NULL AND consolidated_at IS NULL
), earliest AS (
  SELECT id, summary, ended_at FROM waiting ORDER BY ended_at, id LIMIT ${MOST.episodes}
), told AS (
  SELECT w.id, w.summary, w.ended_at, sum(p.last_turn - p.first_turn + 1) AS turns,
    json_agg(json_build_object('threadId', p.thread_id, 'from', p.first_turn, 'to', p.last_turn)) AS stretches
  FROM earliest w JOIN episodes p ON p.user_id = $1 AND (p.id = w.id OR p.merged_into_id = w.id)
  GROUP BY w.id, w.summary, w.ended_at
), counted AS (
  SELECT *, row_number() OVER before AS place, sum(turns) OVER before AS through
  FROM told WINDOW before AS (ORDER BY ended_at, id)
)
SELECT u.erase_epoch AS epoch, (SELECT count(*)::int FROM waiting) AS count,
  (SELECT count(*)::int FROM waiting WHERE surprise >= ${FLASHBULB}) AS flashbulbs, (
    SELECT coalesce(json_agg(json_build_object('id', id, 'summary', summary, 'stretches', stretches)
      ORDER BY place), '[]')
    FROM counted WHERE place = 1 OR through <= ${MOST.turns}
  ) AS episodes
FROM users u WHERE u.user_id = $1`,
};

/** Null for an unknown user. */
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
 * Notes that the facts were taken. The user's row must be locked.
 * @returns false when one of the episodes has changed meanwhile: save nothing
 */
export async function mark(
  tx: Tx,
  read: readonly UnconsolidatedEpisode[],
  now: Date,
): Promise<boolean> {
  const shown = JSON.stringify(read.map(({ id, summary }) => ({ id, summary })));
  return (await tx.query(MARK, [tx.userId, shown, now])).length === read.length;
}
