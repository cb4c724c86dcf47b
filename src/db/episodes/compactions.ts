import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { ThreadState } from '../../domain/threads/thread.ts';
import { STEPS } from '../../pipeline.ts';
import type { PartOfDay } from '../../shared/calendar.ts';
import type { Statement, Tx } from '../core/database.ts';
import { isDead } from '../threads/session-end.ts';
import type { TurnRow } from '../turns/remember.ts';
import { inStretches } from '../turns/turns.ts';

/** The state of a thread that decides about its compaction. */
export type ThreadCompaction = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  state: ThreadState;
  turnCount: number;
  /** The number of the last turn in a closed segment, and of the last turn in the summaries. */
  segmentedThrough: number;
  compactedThrough: number;
  /** The number of the last turn for which a compaction was requested. */
  asked: number;
  /** How many late turns the thread had when it was read. */
  lateTurns: number;
  /** When its first turn was said. */
  startedAt: Date;
  /** When the first turn that is in no summary was said. */
  oldest: Date | null;
  /** When the last turn was received. */
  newestReceivedAt: Date | null;
  /** If the whole thread is one segment: its description, which is also that of the thread. */
  whole: { title: string | null; topic: string | null; approach: string | null } | null;
  /** Some of its segments are not captured yet. */
  isCapturing: boolean;
  /** The step that cuts it into segments has failed for good. */
  isUncut: boolean;
  /** When it turns idle unless another turn comes. */
  idleAt: Date;
};

const STATE: Statement = {
  name: 'compactions-state',
  text: `
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", t.state, t.turn_count AS "turnCount",
  t.segmented_through AS "segmentedThrough", t.compacted_through AS "compactedThrough", t.compaction_asked AS asked,
  t.started_at AS "startedAt", t.late_turns AS "lateTurns", t.idle_at AS "idleAt", (
    SELECT occurred_at FROM turns WHERE user_id = $1 AND thread_id = $2 AND number = t.compacted_through + 1
  ) AS oldest, (
    SELECT recorded_at FROM turns WHERE user_id = $1 AND thread_id = $2 AND number = t.turn_count
  ) AS "newestReceivedAt",
  (
    SELECT json_build_object('title', title, 'topic', topic, 'approach', approach) FROM episodes
    WHERE user_id = $1 AND thread_id = $2 AND kind = 'SEGMENT' AND first_turn = 1 AND last_turn = t.turn_count
      AND micro IS NOT NULL
  ) AS whole,
  EXISTS (SELECT FROM episodes WHERE user_id = $1 AND thread_id = $2 AND capture = 'PENDING') AS "isCapturing",
  ${isDead(STEPS.segmentThread, 't.id')} AS "isUncut"
FROM users u JOIN threads t ON t.user_id = u.user_id AND t.id = $2
WHERE u.user_id = $1`,
};

export async function state(tx: Tx, threadId: number): Promise<ThreadCompaction | null> {
  return (await tx.query<ThreadCompaction>(STATE, [tx.userId, threadId]))[0] ?? null;
}

const ASK: Statement = {
  name: 'compactions-ask',
  text: `UPDATE threads SET compaction_asked = turn_count WHERE user_id = $1 AND id = $2`,
};

/** Requests a compaction of all turns that a thread has now. */
export const ask = (tx: Tx, threadId: number): Promise<object[]> =>
  tx.query(ASK, [tx.userId, threadId]);

/** The most summaries of segments that replace the turns before the newest. */
const MOST_SUMMARIES = 100;

const EARLIER: Statement = {
  name: 'compactions-earlier',
  text: `
WITH segments AS (
  SELECT first_turn, last_turn, micro, ended_at, capture, surprise FROM episodes
  WHERE user_id = $1 AND thread_id = $2 AND kind = 'SEGMENT'
), bound AS (
  SELECT coalesce(min(first_turn), greatest(1, $3::int - $4::int + 1)) AS raw_from FROM segments WHERE last_turn > $3::int - $4::int
), chosen AS (
  SELECT first_turn, micro, ended_at FROM segments, bound WHERE first_turn < raw_from AND micro IS NOT NULL
  ORDER BY capture = 'CREATED' DESC, surprise DESC, first_turn DESC LIMIT ${MOST_SUMMARIES}
)
SELECT raw_from AS "rawFrom", (
  SELECT coalesce(json_agg(json_build_object('number', first_turn, 'text', micro, 'occurredAt', ended_at)
    ORDER BY first_turn), '[]') FROM chosen) AS earlier,
  ARRAY(SELECT first_turn FROM segments) AS openings
FROM bound`,
};

/** What a summary is made from: a turn, or the summary of a segment in the form of a turn, numbered as its first turn. */
export type CompactionSource = {
  number: number;
  /** A segment begins here. */
  opens: boolean;
  turn: Pick<TurnRow, 'role' | 'speaker' | 'text' | 'occurredAt' | 'toolCalls'>;
};

/**
 * Reads what a thread is summarised from: its newest turns up to `through`, at least `newest` of them, preceded by the
 * summaries of the segments before.
 * @param each the most characters that are read of each text
 */
export async function material(
  tx: Tx,
  { threadId, through }: { threadId: number; through: number },
  { newest, each }: { newest: number; each: number },
): Promise<CompactionSource[]> {
  const [row] = await tx.query<{
    rawFrom: number;
    earlier: { number: number; text: string; occurredAt: string }[];
    openings: number[];
  }>(EARLIER, [tx.userId, threadId, through, newest]);
  const from = row?.rawFrom ?? 1;
  const turns = await inStretches(tx, [{ threadId, from, to: through }], { each });
  const earlier = (row?.earlier ?? []).map(({ number, text, occurredAt }) => ({
    number,
    opens: true,
    turn: {
      role: 'OTHER' as const,
      speaker: null,
      text,
      occurredAt: new Date(occurredAt),
      toolCalls: null,
    },
  }));
  const openings = new Set(row?.openings);
  return [
    ...earlier,
    ...turns.map((turn) => ({ number: turn.number, opens: openings.has(turn.number), turn })),
  ];
}

/** The state of a thread when it was read for compaction, and the last turn in the summaries. */
export type CompactedThread = Pick<ThreadCompaction, 'lateTurns'> & { through: number };

/** The result of a compaction. */
export type CompactionDraft = {
  threadId: number;
  title: string | null;
  topic: string | null;
  approach: string | null;
  micro: string | null;
  meso: string | null;
  macro: string | null;
  generatedBy: GeneratedBy;
  model: string;
  startedAt: Date;
  endedAt: Date;
  date: string;
  week: number;
  year: number;
  partOfDay: PartOfDay;
  skills: { name: string; description: string; evidenceTurns: number[] }[];
};

const SAVE: Statement = {
  name: 'compactions-save',
  text: `
WITH draft AS (
  SELECT * FROM json_to_recordset(json_build_array($2::json)) AS d("threadId" int, through int, title text,
    topic text, approach text, micro text, meso text, macro text, "generatedBy" "GeneratedBy", model text,
    "startedAt" timestamptz, "endedAt" timestamptz, date text, week int, year int, "partOfDay" "PartOfDay")
  WHERE EXISTS (SELECT FROM threads WHERE user_id = $1 AND id = d."threadId" AND late_turns = $4)
), known AS (
  SELECT e.id FROM episodes e, draft d WHERE e.user_id = $1 AND e.thread_id = d."threadId" AND e.ordinal = 0
), counted AS (
  UPDATE users SET last_episode = last_episode + 1
  WHERE user_id = $1 AND EXISTS (SELECT FROM draft) AND NOT EXISTS (SELECT FROM known) RETURNING last_episode AS id
), primary_one AS (
  SELECT id FROM known UNION ALL SELECT id FROM counted
), moved AS (
  UPDATE threads t SET compacted_through = d.through FROM draft d WHERE t.user_id = $1 AND t.id = d."threadId"
), written AS (
  INSERT INTO episodes AS e (user_id, id, kind, thread_id, ordinal, first_turn, last_turn, started_at, ended_at,
    recorded_at, title, summary, topic, approach, micro, meso, macro, generated_by, model, date, week, year, part_of_day,
    compacted_at)
  SELECT $1, p.id, 'PRIMARY', d."threadId", 0, 1, d.through, d."startedAt", d."endedAt", $3, d.title, d.micro, d.topic,
    d.approach, d.micro, d.meso, d.macro, d."generatedBy", d.model, d.date, d.week, d.year, d."partOfDay", $3
  FROM draft d, primary_one p
  ON CONFLICT (user_id, thread_id, ordinal) DO UPDATE SET title = excluded.title, summary = excluded.summary,
    topic = excluded.topic, approach = excluded.approach, micro = excluded.micro, meso = excluded.meso,
    macro = excluded.macro, generated_by = excluded.generated_by, model = excluded.model,
    last_turn = greatest(e.last_turn, excluded.last_turn), started_at = excluded.started_at,
    ended_at = greatest(e.ended_at, excluded.ended_at),
    date = excluded.date, week = excluded.week, year = excluded.year, part_of_day = excluded.part_of_day,
    compacted_at = excluded.compacted_at
  RETURNING e.id
), stale_vectors AS (
  DELETE FROM episode_vectors v USING known WHERE v.user_id = $1 AND v.episode_id = known.id
)
SELECT id FROM written`,
};

const SAVE_SKILLS: Statement = {
  name: 'compactions-skills',
  text: `
WITH known AS MATERIALIZED (
  SELECT number, name FROM skills WHERE user_id = $1 AND episode_id = $2
), named AS (
  SELECT DISTINCT ON (lower(s.name)) known.number, s.* FROM json_to_recordset($3::json) AS
    s(name text, description text, "evidenceTurns" int[]) LEFT JOIN known ON lower(known.name) = lower(s.name)
), drafts AS (
  SELECT coalesce(number, (SELECT coalesce(max(number), 0) FROM known)
    + row_number() OVER (PARTITION BY number IS NULL ORDER BY name)) AS number, name, description, "evidenceTurns"
  FROM named
), gone AS (
  DELETE FROM skills WHERE user_id = $1 AND episode_id = $2 AND number NOT IN (SELECT number FROM drafts)
), stale AS (
  DELETE FROM skill_vectors v USING drafts d, skills k
  WHERE v.user_id = $1 AND v.episode_id = $2 AND v.skill_number = d.number
    AND k.user_id = $1 AND k.episode_id = $2 AND k.number = d.number AND (k.name, k.description) <> (d.name, d.description)
)
INSERT INTO skills (user_id, episode_id, number, name, description, generated_by, evidence_turns, recorded_at)
SELECT $1, $2, number, name, description, $4::"GeneratedBy", "evidenceTurns", $5 FROM drafts
ON CONFLICT (user_id, episode_id, number) DO UPDATE SET name = excluded.name, description = excluded.description,
  generated_by = excluded.generated_by, evidence_turns = excluded.evidence_turns,
  recorded_at = CASE WHEN skills.name = excluded.name THEN skills.recorded_at ELSE excluded.recorded_at END`,
};

/** Stores the skills of an episode in place of the earlier ones. */
export const saveSkills = (
  tx: Tx,
  episodeId: number,
  skills: CompactionDraft['skills'],
  generatedBy: GeneratedBy,
  now: Date,
): Promise<object[]> =>
  tx.query(SAVE_SKILLS, [tx.userId, episodeId, JSON.stringify(skills), generatedBy, now]);

/**
 * Stores a thread's summaries and skills in place of the earlier ones; a skill that is found again keeps its number. The
 * user's row must be locked.
 * @returns the id of the thread's PRIMARY episode; null, with nothing stored, if a late turn arrived meanwhile
 */
export async function save(
  tx: Tx,
  { lateTurns, through }: CompactedThread,
  { skills, ...draft }: CompactionDraft,
  now: Date,
): Promise<number | null> {
  const values = [tx.userId, JSON.stringify({ ...draft, through }), now, lateTurns];
  const [row] = await tx.query<{ id: number }>(SAVE, values);
  if (!row) return null;
  await saveSkills(tx, row.id, skills, draft.generatedBy, now);
  return row.id;
}
