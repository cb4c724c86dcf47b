import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { MemoryRating, MemoryState } from '../../domain/episodes/forgetting.ts';
import type { Statement, Tx } from '../core/database.ts';

const NOTE: Statement = {
  name: 'reviews-note',
  text: `
INSERT INTO shown_episodes AS s (user_id, thread_id, episode_id, shown_at, after_turn_id)
SELECT u.user_id, t.id, e.id, $4, u.last_turn
FROM users u JOIN threads t ON t.user_id = u.user_id AND t.id = $2
JOIN episodes e ON e.user_id = u.user_id AND e.id = ANY($3::int[]) AND e.capture = 'CREATED'
WHERE u.user_id = $1 ORDER BY e.id
ON CONFLICT (user_id, thread_id, episode_id) DO UPDATE SET shown_at = greatest(s.shown_at, excluded.shown_at)`,
};

/** Notes which episodes were shown in a thread; what is none, or forgotten, is left out. */
export const note = (
  tx: Tx,
  threadId: number,
  episodeIds: readonly number[],
  now: Date,
): Promise<object[]> => tx.query(NOTE, [tx.userId, threadId, episodeIds, now]);

const IS_SHOWN: Statement = {
  name: 'reviews-is-shown',
  text: 'SELECT FROM shown_episodes WHERE user_id = $1 AND thread_id = $2 LIMIT 1',
};

/** Says so where something was shown in a thread that may be reviewed now. */
export async function noteShownIn(tx: Tx, threadId: number): Promise<void> {
  const rows = await tx.query(IS_SHOWN, [tx.userId, threadId]);
  if (rows.length > 0) tx.changed('episodesShown', threadId);
}

/** A thread in which something was shown. */
export type ReviewState = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  /** Up to which number its turns lie in closed segments. */
  segmentedThrough: number;
  /** It is idle or closed, and all its turns are in closed segments. */
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

/** An episode that was shown. */
export type Shown = {
  episodeId: number;
  shownAt: Date;
  /** What the conversation followed: turns of higher ids. */
  afterTurnId: number;
  lastReviewedAt: Date | null;
  /** Null: it is no episode of its own any more. */
  text: string | null;
};

const SHOWN: Statement = {
  name: 'reviews-shown',
  text: `
SELECT s.episode_id AS "episodeId", s.shown_at AS "shownAt", s.after_turn_id AS "afterTurnId",
  e.last_reviewed_at AS "lastReviewedAt",
  CASE WHEN e.capture = 'CREATED' AND e.stability IS NOT NULL THEN concat_ws('. ', e.title, e.summary) END AS text
FROM shown_episodes s JOIN episodes e ON e.user_id = s.user_id AND e.id = s.episode_id
WHERE s.user_id = $1 AND s.thread_id = $2 ORDER BY s.after_turn_id, s.episode_id LIMIT $3`,
};

/** What was shown in a thread and is not reviewed yet, the earliest first. */
export const shown = (tx: Tx, threadId: number, most: number): Promise<Shown[]> =>
  tx.query(SHOWN, [tx.userId, threadId, most]);

/** An episode as it is when its review is stored. */
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
 * Takes the notes of a thread away. Whoever gets one reviews it; nobody else does. The user's row must be locked.
 * @returns none when another run took them
 */
export const take = (
  tx: Tx,
  threadId: number,
  episodeIds: readonly number[],
): Promise<(Reviewable & { shownAt: Date })[]> => tx.query(TAKE, [tx.userId, threadId, episodeIds]);

const REVIEWABLE: Statement = {
  name: 'reviews-reviewable',
  text: `
SELECT id AS "episodeId", ended_at AS "endedAt", last_reviewed_at AS "lastReviewedAt",
  CASE WHEN capture = 'CREATED' THEN stability END AS stability, difficulty
FROM episodes WHERE user_id = $1 AND id = $2`,
};

/** An episode that somebody wants to rate; its stability is null if it does not fade. */
export async function reviewable(
  tx: Tx,
  episodeId: number,
): Promise<(Omit<Reviewable, 'stability'> & { stability: number | null }) | null> {
  type Row = Omit<Reviewable, 'stability'> & { stability: number | null };
  return (await tx.query<Row>(REVIEWABLE, [tx.userId, episodeId]))[0] ?? null;
}

/** A review as it is stored: the state before and after it. */
export type ReviewDraft = MemoryState & {
  episodeId: number;
  rating: MemoryRating;
  at: Date;
  /** Null: by hand. */
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
FROM drafts d`,
};

/** Stores reviews, at most one of each episode, and moves its state. The user's row must be locked. */
export const save = (tx: Tx, drafts: readonly ReviewDraft[], now: Date): Promise<object[]> =>
  tx.query(SAVE, [tx.userId, JSON.stringify(drafts), now]);
