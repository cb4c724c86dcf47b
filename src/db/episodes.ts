import type { Statement, Tx } from './database.ts';

/** What is known of a thread's description and of the thread itself. */
export type DescriptionState = {
  /** The erase epoch under which this was read. */
  epoch: number;
  state: 'OPEN' | 'IDLE' | 'CLOSED';
  turnCount: number;
  /** When its first turn was said. */
  startedAt: Date;
  /** How many turns the thread had when it was described; null = it never was. */
  describedTurns: number | null;
};

const STATE: Statement = {
  name: 'episodes-state',
  text: `
SELECT u.erase_epoch AS epoch, t.state, t.turn_count AS "turnCount", t.started_at AS "startedAt",
  e.turn_count AS "describedTurns"
FROM users u JOIN threads t ON t.user_id = u.user_id AND t.id = $2
LEFT JOIN episodes e ON e.user_id = t.user_id AND e.thread_id = t.id
WHERE u.user_id = $1`,
};

export async function descriptionState(
  tx: Tx,
  userId: string,
  threadId: number,
): Promise<DescriptionState | null> {
  return (await tx.query<DescriptionState>(STATE, [userId, threadId]))[0] ?? null;
}

/** A thread's description, as the reasoner made it. */
export type DescriptionDraft = {
  threadId: number;
  title: string;
  summary: string;
  topic: string;
  approach: string | null;
  generatedBy: 'EXTRACTIVE' | 'MODEL';
  model: string;
  turnCount: number;
  startedAt: Date;
  endedAt: Date;
};

const SAVE: Statement = {
  name: 'episodes-save',
  text: `
WITH guard AS (
  SELECT user_id FROM users WHERE user_id = $1 AND erase_epoch = $2 FOR NO KEY UPDATE
), counted AS (
  UPDATE users SET last_episode = last_episode + 1 WHERE user_id IN (SELECT user_id FROM guard)
    AND NOT EXISTS (SELECT FROM episodes WHERE user_id = $1 AND thread_id = $3)
  RETURNING last_episode
)
INSERT INTO episodes (user_id, id, thread_id, title, summary, topic, approach, generated_by, model, turn_count,
  started_at, ended_at, recorded_at)
SELECT user_id, coalesce((SELECT last_episode FROM counted),
    (SELECT id FROM episodes WHERE user_id = $1 AND thread_id = $3)),
  $3, $4, $5, $6, $7, $8::"GeneratedBy", $9, $10, $11, $12, $13
FROM guard
ON CONFLICT (user_id, thread_id) DO UPDATE SET title = excluded.title, summary = excluded.summary,
  topic = excluded.topic, approach = excluded.approach, generated_by = excluded.generated_by,
  model = excluded.model, turn_count = excluded.turn_count, started_at = excluded.started_at,
  ended_at = excluded.ended_at, recorded_at = excluded.recorded_at
RETURNING id`,
};

/**
 * Stores a thread's description in place of an earlier one. Holds off a forget until the commit.
 * @returns false when the user has forgotten something meanwhile: nothing was saved
 */
export async function saveDescription(
  tx: Tx,
  userId: string,
  epoch: number,
  draft: DescriptionDraft,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(SAVE, [
    userId,
    epoch,
    draft.threadId,
    draft.title,
    draft.summary,
    draft.topic,
    draft.approach,
    draft.generatedBy,
    draft.model,
    draft.turnCount,
    draft.startedAt,
    draft.endedAt,
    now,
  ]);
  return rows.length === 1;
}
