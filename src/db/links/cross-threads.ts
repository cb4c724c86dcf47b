import { firstState } from '../../domain/episodes/forgetting.ts';
import { type GroupedThread, type Regrouped, regroup } from '../../domain/links/cross-thread.ts';
import type { Statement, Tx } from '../core/database.ts';
import { erasing, type Forgotten } from '../kinds/erase.ts';
import { KINDS } from '../kinds/kinds.ts';

const READ: Statement = {
  name: 'cross-threads-read',
  text: `
WITH episode AS MATERIALIZED (
  SELECT unnest($3::int[]) AS id
  UNION SELECT cross_thread_episode_id FROM threads WHERE user_id = $1 AND id = ANY($2::int[])
), thread AS MATERIALIZED (
  SELECT id, cross_thread_episode_id FROM threads WHERE user_id = $1
    AND (id = ANY($2::int[]) OR cross_thread_episode_id IN (SELECT id FROM episode))
)
SELECT (SELECT coalesce(json_agg(json_build_object('id', id, 'episodeId', cross_thread_episode_id)), '[]') FROM thread)
  AS threads, (
  SELECT coalesce(json_agg(json_build_array(thread_id, earlier_thread_id)), '[]') FROM links
  WHERE user_id = $1 AND joins AND thread_id IN (SELECT id FROM thread) AND earlier_thread_id IN (SELECT id FROM thread)
) AS pairs, (
  SELECT coalesce(json_agg(e.id), '[]') FROM episode e WHERE e.id IS NOT NULL
    AND NOT EXISTS (SELECT FROM thread t WHERE t.cross_thread_episode_id = e.id)
) AS emptied`,
};

type State = { threads: GroupedThread[]; pairs: [number, number][]; emptied: number[] };

const RELEASE: Statement = {
  name: 'cross-threads-release',
  text: `
UPDATE threads SET cross_thread_episode_id = NULL WHERE user_id = $1 AND id = ANY($2::int[])
  AND cross_thread_episode_id IS NOT NULL`,
};

/** Clears the texts of an episode that lost a thread; it is then summarised again. */
const CLEAR = `title = NULL, summary = NULL, topic = NULL, approach = NULL, micro = NULL, meso = NULL, macro = NULL,
  generated_by = NULL, model = NULL, compacted_at = NULL, date = NULL, week = NULL, year = NULL, part_of_day = NULL`;

const GONE = erasing(
  KINDS.flatMap(({ erase }) => erase.withTexts ?? []),
  'user_id = $1 AND episode_id = ANY($2::int[])',
);

const ERASE_TEXTS: Statement = {
  name: 'cross-threads-erase-texts',
  text: `
WITH ${GONE.ctes}, cleared AS (
  UPDATE episodes SET ${CLEAR} WHERE user_id = $1 AND id = ANY($2::int[]) AND kind = 'CROSS_THREAD'
)
SELECT ${GONE.counts} AS gone`,
};

/** Erases the texts of cross-thread episodes. @returns how many rows were erased with them */
export async function eraseTexts(
  tx: Tx,
  episodeIds: readonly number[],
): Promise<Partial<Forgotten>> {
  const [row] = await tx.query<{ gone: Partial<Forgotten> }>(ERASE_TEXTS, [tx.userId, episodeIds]);
  return row?.gone ?? {};
}

/** A cross-thread episode lasts as long as the talk that is left in it. */
const MEASURE: Statement = {
  name: 'cross-threads-measure',
  text: `
UPDATE episodes e SET started_at = m.started_at, ended_at = m.ended_at, last_turn = m.turns FROM (
  SELECT cross_thread_episode_id AS id, min(started_at) AS started_at, max(last_activity_at) AS ended_at,
    sum(turn_count)::int AS turns
  FROM threads WHERE user_id = $1 AND cross_thread_episode_id = ANY($2::int[]) GROUP BY cross_thread_episode_id) AS m
WHERE e.user_id = $1 AND e.id = m.id AND e.kind = 'CROSS_THREAD'`,
};

/** Brings the time and size of cross-thread episodes in line with the turns of their threads. */
export async function measure(tx: Tx, episodeIds: readonly number[]): Promise<void> {
  if (episodeIds.length > 0) await tx.query(MEASURE, [tx.userId, episodeIds]);
}

const DROP: Statement = {
  name: 'cross-threads-drop',
  text: `DELETE FROM episodes WHERE user_id = $1 AND id = ANY($2::int[]) AND kind = 'CROSS_THREAD'`,
};

/** Creates the episode unless its id is given ($3), and updates its period. */
const FORM: Statement = {
  name: 'cross-threads-form',
  text: `
WITH counted AS (
  UPDATE users SET last_episode = last_episode + 1 WHERE user_id = $1 AND $3::int IS NULL RETURNING last_episode
), chosen AS (
  SELECT coalesce($3::int, (SELECT last_episode FROM counted)) AS id
), measured AS (
  SELECT sum(turn_count)::int AS turns, min(started_at) AS started_at, max(last_activity_at) AS ended_at
  FROM threads WHERE user_id = $1 AND id = ANY($2::int[])
), formed AS (
  INSERT INTO episodes (user_id, id, kind, ordinal, first_turn, last_turn, started_at, ended_at, recorded_at)
  SELECT $1, chosen.id, 'CROSS_THREAD', 0, 1, turns, started_at, ended_at, $4 FROM chosen, measured
  ON CONFLICT (user_id, id) DO UPDATE SET started_at = excluded.started_at, ended_at = excluded.ended_at,
    compacted_at = NULL
)
SELECT id FROM chosen`,
};

const JOIN: Statement = {
  name: 'cross-threads-join',
  text: `
WITH joined AS (
  UPDATE threads SET cross_thread_episode_id = $3 WHERE user_id = $1 AND id = ANY($2::int[])
    AND cross_thread_episode_id IS DISTINCT FROM $3
)
UPDATE episodes SET stability = coalesce(stability, $4), difficulty = coalesce(difficulty, $5)
WHERE user_id = $1 AND id = $3`,
};

const OUTDATE: Statement = {
  name: 'cross-threads-outdate',
  text: `
UPDATE episodes e SET compacted_at = NULL FROM threads t
WHERE t.user_id = $1 AND t.id = $2 AND e.user_id = $1 AND e.id = t.cross_thread_episode_id RETURNING e.id`,
};

/** Has the cross-thread episode of a thread, if there is one, summarised again: the thread's own summary has changed. */
export async function noteChangeOf(tx: Tx, threadId: number): Promise<void> {
  const rows = await tx.query<{ id: number }>(OUTDATE, [tx.userId, threadId]);
  for (const { id } of rows) tx.changed('crossThreadChanged', id);
}

/** A cross-thread episode whose threads have changed. */
export type ChangedGroup = Regrouped & { episodeId: number };

/**
 * Recomputes the cross-thread episodes of some threads from their links. Changed episodes are summarised again in the
 * background. The user's row must be locked.
 * @returns the changed episodes, and the ids of those that were dropped because fewer than two threads were left
 */
export async function settle(
  tx: Tx,
  { threadIds, episodeIds }: { threadIds: readonly number[]; episodeIds: readonly number[] },
  now: Date,
): Promise<{ groups: ChangedGroup[]; dissolved: number[] }> {
  const [row] = await tx.query<State>(READ, [tx.userId, threadIds, episodeIds]);
  const { threads, pairs, emptied } = row as State;
  const { groups, dissolved } = regroup(threads, pairs);
  const grouped = new Set(pairs.flat());
  const alone = threads.flatMap(({ id }) => (grouped.has(id) ? [] : [id]));
  if (alone.length > 0) await tx.query(RELEASE, [tx.userId, alone]);
  const reduced = groups.flatMap(({ change, episodeId }) =>
    change === 'REDUCED' && episodeId !== null ? [episodeId] : [],
  );
  if (reduced.length > 0) await eraseTexts(tx, reduced);
  const changed: ChangedGroup[] = [];
  for (const group of groups) {
    const values = [tx.userId, group.threadIds, group.episodeId, now];
    const [formed] = await tx.query<{ id: number }>(FORM, values);
    const { id } = formed as { id: number };
    const { stability, difficulty } = firstState(0);
    await tx.query(JOIN, [tx.userId, group.threadIds, id, stability, difficulty]);
    changed.push({ ...group, episodeId: id });
  }
  const gone = [...dissolved, ...emptied, ...groups.flatMap(({ merged }) => merged)];
  if (gone.length > 0) await tx.query(DROP, [tx.userId, gone]);
  for (const { episodeId } of changed) tx.changed('crossThreadChanged', episodeId);
  return { groups: changed, dissolved: [...dissolved, ...emptied] };
}
