import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { MemoryRating, MemoryState } from '../../domain/episodes/forgetting.ts';
import type { Statement, Tx } from '../core/database.ts';
import { fades } from '../kinds/episodes/fades.ts';

const RECORD: Statement = {
  name: 'reviews-record-impressions',
  text: `
INSERT INTO shown_episodes AS s (user_id, thread_id, episode_id, shown_at, after_turn_id)
SELECT u.user_id, t.id, e.id, $4, u.last_turn
FROM users u JOIN threads t ON t.user_id = u.user_id AND t.id = $2
JOIN episodes e ON e.user_id = u.user_id AND e.id = ANY($3::int[]) AND ${fades('e')}
WHERE u.user_id = $1 ORDER BY e.id
ON CONFLICT (user_id, thread_id, episode_id) DO UPDATE SET shown_at = greatest(s.shown_at, excluded.shown_at)`,
};

/** Records the impression that episodes were shown in a thread. Ids of no episode, or of a forgotten one, are ignored. */
export const recordImpressions = (
  tx: Tx,
  threadId: number,
  episodeIds: readonly number[],
  now: Date,
): Promise<object[]> => tx.query(RECORD, [tx.userId, threadId, episodeIds, now]);

const HAS_IMPRESSIONS: Statement = {
  name: 'reviews-has-impressions',
  text: 'SELECT FROM shown_episodes WHERE user_id = $1 AND thread_id = $2 LIMIT 1',
};

/** Reports `episodesShown` if a thread has impressions, because they may be reviewed now. */
export async function reportImpressions(tx: Tx, threadId: number): Promise<void> {
  const rows = await tx.query(HAS_IMPRESSIONS, [tx.userId, threadId]);
  if (rows.length > 0) tx.changed('episodesShown', threadId);
}

/** The state of a thread in which episodes were shown. */
export type ReviewState = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  /** The number of the last turn in a closed segment. */
  segmentedThrough: number;
  /** The thread is idle or closed, and all its turns are in closed segments. */
  isOver: boolean;
};

const STATE: Statement = {
  name: 'reviews-state',
  text: `
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", t.segmented_through AS "segmentedThrough",
  t.state <> 'OPEN' AND t.segmented_through >= t.turn_count AS "isOver"
FROM users u JOIN threads t ON t.user_id = u.user_id AND t.id = $2 WHERE u.user_id = $1`,
};

export async function state(tx: Tx, threadId: number): Promise<ReviewState | null> {
  return (await tx.query<ReviewState>(STATE, [tx.userId, threadId]))[0] ?? null;
}

/** An impression: an episode that was shown in a thread. */
export type Shown = {
  episodeId: number;
  shownAt: Date;
  /** The user's last turn when it was shown; turns with higher ids came afterwards. */
  afterTurnId: number;
  lastReviewedAt: Date | null;
  /** Its title and summary; null if it no longer fades, or has no summary at the moment. */
  text: string | null;
};

const SHOWN: Statement = {
  name: 'reviews-shown',
  text: `
SELECT s.episode_id AS "episodeId", s.shown_at AS "shownAt", s.after_turn_id AS "afterTurnId",
  e.last_reviewed_at AS "lastReviewedAt",
  CASE WHEN ${fades('e')} AND e.stability IS NOT NULL AND e.summary IS NOT NULL
    THEN concat_ws('. ', e.title, e.summary) END AS text
FROM shown_episodes s JOIN episodes e ON e.user_id = s.user_id AND e.id = s.episode_id
WHERE s.user_id = $1 AND s.thread_id = $2 ORDER BY s.after_turn_id, s.episode_id LIMIT $3`,
};

/** The impressions of a thread that are not reviewed yet, the earliest first. */
export const shown = (tx: Tx, threadId: number, most: number): Promise<Shown[]> =>
  tx.query(SHOWN, [tx.userId, threadId, most]);

/** The state of an episode at the time of its review. */
export type Reviewable = MemoryState & {
  episodeId: number;
  endedAt: Date;
  lastReviewedAt: Date | null;
};

const TAKE: Statement = {
  name: 'reviews-take',
  text: `
WITH taken AS (
  DELETE FROM shown_episodes WHERE user_id = $1 AND thread_id = $2 AND episode_id = ANY($3::int[])
  RETURNING episode_id, shown_at
)
SELECT e.id AS "episodeId", taken.shown_at AS "shownAt", e.stability, e.difficulty, e.ended_at AS "endedAt",
  e.last_reviewed_at AS "lastReviewedAt"
FROM taken JOIN episodes e ON e.user_id = $1 AND e.id = taken.episode_id ORDER BY e.id`,
};

/**
 * Removes impressions of a thread and returns their episodes, so that only this run reviews them. The user's row must be
 * locked.
 * @returns nothing for those that another run took
 */
export const take = (
  tx: Tx,
  threadId: number,
  episodeIds: readonly number[],
): Promise<(Reviewable & { shownAt: Date })[]> => tx.query(TAKE, [tx.userId, threadId, episodeIds]);

const REVIEWABLE: Statement = {
  name: 'reviews-reviewable',
  text: `
SELECT e.id AS "episodeId", e.ended_at AS "endedAt", e.last_reviewed_at AS "lastReviewedAt",
  CASE WHEN ${fades('e')} THEN e.stability END AS stability, e.difficulty
FROM episodes e WHERE e.user_id = $1 AND e.id = $2`,
};

/** An episode to be rated by hand, or null if there is none; its stability is null if it does not fade. */
export async function reviewable(
  tx: Tx,
  episodeId: number,
): Promise<(Omit<Reviewable, 'stability'> & { stability: number | null }) | null> {
  type Row = Omit<Reviewable, 'stability'> & { stability: number | null };
  return (await tx.query<Row>(REVIEWABLE, [tx.userId, episodeId]))[0] ?? null;
}

/** A review to be stored, with the FSRS state before and after it. */
export type ReviewDraft = MemoryState & {
  episodeId: number;
  rating: MemoryRating;
  at: Date;
  /** Null: it was rated by hand. */
  generatedBy: GeneratedBy | null;
  model: string | null;
  threadId: number | null;
  afterTurnId: number | null;
  throughTurnId: number | null;
  stabilityBefore: number;
  difficultyBefore: number;
};

const SAVE: Statement = {
  name: 'reviews-save',
  text: `
WITH drafts AS (
  SELECT * FROM json_to_recordset($2::json) AS d("episodeId" int, rating "MemoryRating", at timestamptz,
    "generatedBy" "GeneratedBy", model text, "threadId" int, "afterTurnId" int, "throughTurnId" int,
    "stabilityBefore" float8, "difficultyBefore" float8, stability float8, difficulty float8)
), moved AS (
  UPDATE episodes e SET stability = d.stability, difficulty = d.difficulty, last_reviewed_at = d.at
  FROM drafts d WHERE e.user_id = $1 AND e.id = d."episodeId"
)
INSERT INTO episode_reviews (user_id, episode_id, number, rating, at, recorded_at, generated_by, model, thread_id,
  after_turn_id, through_turn_id, stability_before, difficulty_before, stability, difficulty)
SELECT $1, "episodeId", (
    SELECT coalesce(max(number), 0) + 1 FROM episode_reviews r WHERE r.user_id = $1 AND r.episode_id = d."episodeId"
  ), rating, at, $3, "generatedBy", model, "threadId", "afterTurnId", "throughTurnId", "stabilityBefore",
  "difficultyBefore", stability, difficulty
FROM drafts d
RETURNING number`,
};

/** Stores reviews, at most one per episode, and updates the FSRS states. The user's row must be locked. */
export const save = (tx: Tx, drafts: readonly ReviewDraft[], now: Date): Promise<object[]> =>
  tx.query(SAVE, [tx.userId, JSON.stringify(drafts), now]);
