import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { ThreadState } from '../../domain/threads/thread.ts';
import type { Statement, Tx } from '../core/database.ts';

/** The state of a thread that decides about its segmentation. */
export type ThreadSegmentation = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  state: ThreadState;
  turnCount: number;
  /** The number of the last turn in a closed segment. */
  segmentedThrough: number;
  /** How many late turns the thread had when it was read. */
  lateTurns: number;
  /** How many turns were pending when segmentation last found no boundary. */
  tried: number;
  /** How surprising the opening of the open segment was, 0-1. */
  openSurprise: number;
  /** When the first pending turn was said. */
  oldest: Date | null;
  /** When the last turn was received. */
  newestReceivedAt: Date | null;
  /** The number of the last turn in its summaries. */
  compactedThrough: number;
};

const STATE: Statement = {
  name: 'segments-state',
  text: `
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", t.state, t.turn_count AS "turnCount", t.segmented_through AS "segmentedThrough",
  t.segmentation_tried AS tried, t.late_turns AS "lateTurns", t.open_surprise AS "openSurprise",
  t.compacted_through AS "compactedThrough", (
    SELECT occurred_at FROM turns WHERE user_id = $1 AND thread_id = $2 AND number = t.segmented_through + 1
  ) AS oldest, (
    SELECT recorded_at FROM turns WHERE user_id = $1 AND thread_id = $2 AND number = t.turn_count
  ) AS "newestReceivedAt"
FROM users u JOIN threads t ON t.user_id = u.user_id AND t.id = $2
WHERE u.user_id = $1`,
};

export async function state(tx: Tx, threadId: number): Promise<ThreadSegmentation | null> {
  return (await tx.query<ThreadSegmentation>(STATE, [tx.userId, threadId]))[0] ?? null;
}

const TRIED: Statement = {
  name: 'segments-tried',
  text: `UPDATE threads SET segmentation_tried = $4 WHERE user_id = $1 AND id = $2 AND segmented_through = $3`,
};

/** Records that segmentation found no boundary in this many pending turns. */
export const noteTried = (
  tx: Tx,
  threadId: number,
  segmentedThrough: number,
  tried: number,
): Promise<object[]> => tx.query(TRIED, [tx.userId, threadId, segmentedThrough, tried]);

/** A segment to be closed: the numbers and times of its turns, both ends included. */
export type SegmentDraft = {
  firstTurn: number;
  lastTurn: number;
  startedAt: Date;
  endedAt: Date;
  /** 0-1. */
  surprise: number;
  /** The reasoner's description, made when it was cut. */
  description: SegmentDescription | null;
};

/** What a segment is about, and what made the description. */
export type SegmentDescription = {
  title: string | null;
  summary: string | null;
  topic: string | null;
  approach: string;
  outcomes: { kind: 'TOOL_RESULT' | 'DECISION' | 'NEXT_STEP' | 'MILESTONE'; evidence: string }[];
  generatedBy: GeneratedBy;
  model: string;
};

const ADVANCE: Statement = {
  name: 'segments-advance',
  text: `
UPDATE threads SET segmented_through = $4, segmentation_tried = 0, open_surprise = $5
WHERE user_id = $1 AND id = $2 AND segmented_through = $3 AND late_turns = $6
RETURNING id`,
};

/** Inserts the PRIMARY episode first, so that its segments can refer to it. */
const INSERT: Statement = {
  name: 'segments-insert',
  text: `
WITH known AS (
  SELECT max(ordinal) AS ordinal, min(id) FILTER (WHERE ordinal = 0) AS primary_id
  FROM episodes WHERE user_id = $1 AND thread_id = $2
), drafts AS (
  SELECT row_number() OVER (ORDER BY first_turn) AS place, d.* FROM json_to_recordset($3::json) AS
    d(first_turn int, last_turn int, started_at timestamptz, ended_at timestamptz, surprise float8,
    description jsonb)
), counted AS (
  UPDATE users SET last_episode = last_episode + (SELECT count(*) FROM drafts)
    + (SELECT count(*) FROM known WHERE primary_id IS NULL)
  WHERE user_id = $1 RETURNING last_episode
), base AS (
  SELECT last_episode - (SELECT count(*) FROM drafts) AS id, coalesce(primary_id,
    last_episode - (SELECT count(*) FROM drafts)) AS primary_id, coalesce(ordinal, 0) AS ordinal
  FROM counted, known
), made_primary AS (
  INSERT INTO episodes (user_id, id, kind, thread_id, ordinal, first_turn, last_turn, started_at, ended_at, recorded_at)
  SELECT $1, base.primary_id, 'PRIMARY', $2, 0, 1, max(last_turn), min(started_at), max(ended_at), $4
  FROM base, drafts GROUP BY base.primary_id
  ON CONFLICT (user_id, thread_id, ordinal) DO UPDATE SET last_turn = greatest(episodes.last_turn, excluded.last_turn),
    ended_at = greatest(episodes.ended_at, excluded.ended_at)
)
INSERT INTO episodes (user_id, id, kind, thread_id, ordinal, parent_id, first_turn, last_turn, started_at, ended_at,
  recorded_at, capture, surprise, description)
SELECT $1, base.id + place, 'SEGMENT', $2, base.ordinal + place, base.primary_id, first_turn, last_turn, started_at,
  ended_at, $4, 'PENDING', surprise, description
FROM base, drafts
RETURNING id, ordinal`,
};

/**
 * Closes segments after those that are closed already. If several runs do so at once, the first wins, so that each turn is
 * in one segment only.
 * @param openSurprise the surprise of the segment that stays open after them, 0-1
 * @returns the segments' ids in order; null if another run closed segments, or a late turn arrived, since the state was read
 */
export async function close(
  tx: Tx,
  threadId: number,
  seen: Pick<ThreadSegmentation, 'segmentedThrough' | 'lateTurns'>,
  drafts: readonly SegmentDraft[],
  openSurprise: number,
  now: Date,
): Promise<number[] | null> {
  const last = drafts.at(-1);
  if (!last) return null;
  const { segmentedThrough, lateTurns } = seen;
  const through = last.lastTurn;
  const moved = await tx.query(ADVANCE, [
    tx.userId,
    threadId,
    segmentedThrough,
    through,
    openSurprise,
    lateTurns,
  ]);
  if (moved.length === 0) return null;
  const rows = drafts.map((draft) => ({
    first_turn: draft.firstTurn,
    last_turn: draft.lastTurn,
    started_at: draft.startedAt,
    ended_at: draft.endedAt,
    surprise: draft.surprise,
    description: draft.description,
  }));
  const closed = await tx.query<{ id: number; ordinal: number }>(INSERT, [
    tx.userId,
    threadId,
    JSON.stringify(rows),
    now,
  ]);
  return closed.sort((a, b) => a.ordinal - b.ordinal).map(({ id }) => id);
}
