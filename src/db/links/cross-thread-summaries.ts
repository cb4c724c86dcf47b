import type { Statement, Tx } from '../core/database.ts';
import * as compactions from '../episodes/compactions.ts';
import type { TurnRow } from '../turns/remember.ts';
import { byTime } from '../turns/turns.ts';

/** A cross-thread episode whose summary is missing or out of date. */
export type CrossThreadState = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  threadIds: number[];
  /** The turns of all its threads. */
  turnCount: number;
  startedAt: Date;
  endedAt: Date;
  /** When the summary of each thread was written, in the order of `threadIds`; null if it has none. */
  summarizedAt: (Date | null)[];
};

const STATE: Statement = {
  name: 'cross-threads-state',
  text: `
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", array_agg(t.id ORDER BY t.id) AS "threadIds",
  sum(t.turn_count)::int AS "turnCount", min(t.started_at) AS "startedAt", max(t.last_activity_at) AS "endedAt",
  array_agg(p.compacted_at ORDER BY t.id) AS "summarizedAt"
FROM users u JOIN episodes e ON e.user_id = u.user_id AND e.id = $2 AND e.kind = 'CROSS_THREAD'
JOIN threads t ON t.user_id = u.user_id AND t.cross_thread_episode_id = e.id
LEFT JOIN episodes p ON p.user_id = u.user_id AND p.thread_id = t.id AND p.ordinal = 0
WHERE u.user_id = $1
GROUP BY u.erase_epoch, u.time_zone, e.compacted_at, e.last_turn
HAVING e.compacted_at IS NULL OR e.last_turn <> sum(t.turn_count)`,
};

/** A thread of a cross-thread episode, with its summary if that covers all its turns. */
export type SummarizedThread = {
  threadId: number;
  /** When its last turn was said. */
  endedAt: Date;
  title: string | null;
  summary: string | null;
};

/** What a cross-thread episode is summarised from. */
export type CrossThreadMaterial = {
  state: CrossThreadState;
  threads: SummarizedThread[];
  turns: TurnRow[];
};

const THREADS: Statement = {
  name: 'cross-threads-threads',
  text: `
SELECT t.id AS "threadId", t.last_activity_at AS "endedAt", e.title, e.micro AS summary FROM threads t
LEFT JOIN episodes e ON e.user_id = $1 AND e.thread_id = t.id AND e.kind = 'PRIMARY' AND t.compacted_through >= t.turn_count
WHERE t.user_id = $1 AND t.id = ANY($2::int[]) ORDER BY t.started_at, t.id`,
};

/** Reads the newest turns of an episode's threads, in event time; null if the summary covers all of them already. */
export async function material(
  tx: Tx,
  episodeId: number,
  newest: { most: number; each: number },
): Promise<CrossThreadMaterial | null> {
  const [state] = await tx.query<CrossThreadState>(STATE, [tx.userId, episodeId]);
  if (!state) return null;
  const turns = await byTime(tx, state.threadIds, newest);
  const threads = await tx.query<SummarizedThread>(THREADS, [tx.userId, state.threadIds]);
  return turns.length > 0 ? { state, threads, turns } : null;
}

/** The new summary of a cross-thread episode. */
export type CrossThreadDraft = { id: number } & Omit<
  compactions.CompactionDraft,
  'threadId' | 'startedAt' | 'endedAt'
>;

const SAVE: Statement = {
  name: 'cross-threads-save-summary',
  text: `
WITH draft AS (
  SELECT * FROM json_to_recordset(json_build_array($3::json)) AS d(id int, title text, topic text, approach text, micro text, meso text,
    macro text, "generatedBy" "GeneratedBy", model text, date text, week int, year int, "partOfDay" "PartOfDay")
), stale_vectors AS (
  DELETE FROM episode_vectors v USING draft d WHERE v.user_id = $1 AND v.episode_id = d.id
)
UPDATE episodes e SET title = d.title, summary = d.micro, topic = d.topic, approach = d.approach, micro = d.micro,
  meso = d.meso, macro = d.macro, generated_by = d."generatedBy", model = d.model, date = d.date, week = d.week,
  year = d.year, part_of_day = d."partOfDay", compacted_at = $4, last_turn = $5, started_at = $6, ended_at = $7
FROM draft d
WHERE e.user_id = $1 AND e.id = d.id
  AND ($2::int[], $8::timestamptz[]) = (
    SELECT array_agg(t.id ORDER BY t.id), array_agg(p.compacted_at ORDER BY t.id)
    FROM threads t LEFT JOIN episodes p ON p.user_id = $1 AND p.thread_id = t.id AND p.ordinal = 0
    WHERE t.user_id = $1 AND t.cross_thread_episode_id = d.id)
RETURNING e.id`,
};

/**
 * Replaces the summary of a cross-thread episode. The user's row must be locked.
 * @returns false, with nothing stored, if the episode has other threads meanwhile, or one of them another summary
 */
export async function saveSummary(
  tx: Tx,
  { threadIds, turnCount, startedAt, endedAt, summarizedAt }: Omit<CrossThreadState, 'epoch'>,
  { skills, ...draft }: CrossThreadDraft,
  now: Date,
): Promise<boolean> {
  const texts = JSON.stringify(draft);
  const values = [tx.userId, threadIds, texts, now, turnCount, startedAt, endedAt, summarizedAt];
  if ((await tx.query(SAVE, values)).length === 0) return false;
  await compactions.saveSkills(tx, draft.id, skills, draft.generatedBy, now);
  return true;
}
