import type { EventDraft } from '../../domain/core/event.ts';
import type { PlacedThread, PlacedTurn } from '../../domain/threads/placement.ts';
import type { ThreadState } from '../../domain/threads/thread.ts';
import type { ChannelKind } from '../../domain/turns/channel.ts';
import type { Role, ToolCall } from '../../shared/role.ts';
import type { JobDraft } from '../../steps.ts';
import type { Statement, Tx } from '../core/database.ts';
import { insertJobsSql } from '../operations/jobs.ts';

/** A turn as stored. */
export type TurnRow = {
  userId: string;
  id: number;
  threadId: number;
  number: number;
  role: Role;
  speaker: string | null;
  channel: string;
  text: string;
  toolCalls: ToolCall[] | null;
  occurredAt: Date;
  recordedAt: Date;
  /** The built-in rules skip its text. */
  unreadByRules: boolean;
};

/** What the hot path reads before it decides. */
export type HotPathState = {
  lastThread: number;
  lastTurn: number;
  lastEvent: number;
  inactivityTimeoutMinutes: number | null;
  channels: { name: string; kind: ChannelKind; inactivityTimeoutMinutes: number | null }[];
  threads: PlacedThread[];
  /** Turns that already have one of the idempotency keys. */
  known: (TurnRow & { keyHash: string })[];
  /** Idempotency keys of forgotten turns, as hashes. */
  erasedKeys: string[];
};

const TURN_JSON = `json_build_object('id', t.id, 'threadId', t.thread_id, 'number', t.number, 'role', t.role,
  'speaker', t.speaker, 'channel', t.channel, 'text', t.text, 'toolCalls', t.tool_calls,
  'occurredAt', t.occurred_at, 'recordedAt', t.recorded_at, 'unreadByRules', t.unread_by_rules, 'keyHash', encode(t.key_hash, 'hex'))`;

const THREAD_JSON = `json_build_object('id', t.id, 'title', t.title, 'explicit', t.explicit, 'state', t.state,
  'inactivityTimeoutMinutes', t.inactivity_timeout_minutes, 'channels', t.channels, 'turnCount', t.turn_count,
  'segmentedThrough', t.segmented_through, 'imported', t.imported,
  'startedAt', t.started_at, 'lastActivityAt', t.last_activity_at, 'idleAt', t.idle_at)`;

/** A late turn can belong to a thread this far away: the longest timeout that can be set. */
const LONGEST_TIMEOUT = `interval '43200 minutes'`;

const LOAD: Statement = {
  name: 'remember-load',
  text: `
WITH latest AS (
  SELECT * FROM threads WHERE user_id = $1 AND NOT explicit
  ORDER BY last_activity_at DESC, id DESC LIMIT 1
), relevant AS (
  SELECT * FROM latest
  UNION
  SELECT * FROM threads WHERE user_id = $1 AND id = $2
  UNION
  SELECT t.* FROM threads t, latest l
  WHERE t.user_id = $1 AND NOT t.explicit AND $2::int IS NULL AND $3::timestamptz < l.last_activity_at
    AND t.last_activity_at >= $3::timestamptz - ${LONGEST_TIMEOUT}
    AND t.started_at <= $4::timestamptz + ${LONGEST_TIMEOUT}
)
SELECT u.last_thread AS "lastThread", u.last_turn AS "lastTurn",
  u.last_event AS "lastEvent", u.inactivity_timeout_minutes AS "inactivityTimeoutMinutes",
  (SELECT coalesce(json_agg(json_build_object('name', c.name, 'kind', c.kind,
      'inactivityTimeoutMinutes', c.inactivity_timeout_minutes)), '[]')
    FROM channel_settings c WHERE c.user_id = $1 AND c.name = ANY($5)) AS channels,
  (SELECT coalesce(json_agg(${THREAD_JSON}), '[]') FROM relevant t) AS threads,
  (SELECT coalesce(json_agg(${TURN_JSON}), '[]')
    FROM turns t WHERE t.user_id = $1 AND t.key_hash = ANY($6)) AS known,
  (SELECT coalesce(json_agg(encode(k.key_hash, 'hex')), '[]')
    FROM erased_keys k WHERE k.user_id = $1 AND k.key_hash = ANY($6)) AS "erasedKeys"
FROM users u WHERE u.user_id = $1`,
};

export type LoadInput = {
  threadId: number | null;
  earliest: Date;
  latest: Date;
  channels: string[];
  keyHashes: string[];
};

/** Reads what placing the turns depends on, in one round trip. The user's row must be locked. */
export async function load(tx: Tx, input: LoadInput): Promise<HotPathState> {
  const [row] = await tx.query<HotPathState>(LOAD, [
    tx.userId,
    input.threadId,
    input.earliest,
    input.latest,
    input.channels,
    input.keyHashes.map((hash) => Buffer.from(hash, 'hex')),
  ]);
  if (!row) throw new Error('the user row is not locked');
  return {
    ...row,
    threads: row.threads.map((thread) => ({
      ...thread,
      startedAt: new Date(thread.startedAt),
      lastActivityAt: new Date(thread.lastActivityAt),
      idleAt: new Date(thread.idleAt),
    })),
    known: row.known.map((turn) => ({
      ...turn,
      userId: tx.userId,
      occurredAt: new Date(turn.occurredAt),
      recordedAt: new Date(turn.recordedAt),
    })),
  };
}

/** Stores threads, turns, events and jobs in one statement. */
const SAVE: Statement = {
  name: 'remember-save',
  text: `
WITH new_turns AS (
  SELECT * FROM json_to_recordset($3::json) AS n(id int, thread_id int, number int, role "Role", speaker text,
    channel text, text text, tool_calls jsonb, word_count int, cues smallint, occurred_at timestamptz, key_hash text)
), saved_threads AS (
  INSERT INTO threads (user_id, id, title, explicit, state, inactivity_timeout_minutes, channels, turn_count,
    started_at, last_activity_at, idle_at, imported, recorded_at)
  SELECT $1, t.id, t.title, t.explicit, t.state, t.inactivity_timeout_minutes, t.channels, t.turn_count,
    t.started_at, t.last_activity_at, t.idle_at, t.imported, $7
  FROM json_to_recordset($2::json) AS t(id int, title text, explicit boolean, state "ThreadState",
    inactivity_timeout_minutes int, channels text[], turn_count int, started_at timestamptz,
    last_activity_at timestamptz, idle_at timestamptz, imported boolean)
  ON CONFLICT (user_id, id) DO UPDATE SET state = excluded.state, channels = excluded.channels,
    turn_count = excluded.turn_count, started_at = excluded.started_at,
    last_activity_at = excluded.last_activity_at, idle_at = excluded.idle_at
), moved AS (
  UPDATE turns t SET number = t.number + (
    SELECT count(*) FROM new_turns n WHERE n.thread_id = t.thread_id AND n.occurred_at < t.occurred_at)
  WHERE t.user_id = $1 AND t.thread_id = ANY($4::int[])
    AND t.occurred_at > (SELECT min(n.occurred_at) FROM new_turns n WHERE n.thread_id = t.thread_id)
), saved_turns AS (
  INSERT INTO turns (user_id, id, thread_id, number, role, speaker, channel, text, tool_calls, word_count,
    cues, occurred_at, recorded_at, key_hash)
  SELECT $1, n.id, n.thread_id,
    CASE WHEN n.thread_id = ANY($4::int[]) THEN (
      SELECT count(*) FROM turns t
      WHERE t.user_id = $1 AND t.thread_id = n.thread_id AND t.occurred_at <= n.occurred_at
    ) + row_number() OVER (PARTITION BY n.thread_id ORDER BY n.id) ELSE n.number END,
    n.role, n.speaker, n.channel, n.text, n.tool_calls, n.word_count, n.cues, n.occurred_at, $7, decode(n.key_hash, 'hex')
  FROM new_turns n
  RETURNING id, number
), saved_events AS (
  INSERT INTO memory_events (user_id, number, kind, at, thread_id, first_turn_id, last_turn_id, decision)
  SELECT $1, e.number, e.kind, $7, e.thread_id, e.first_turn_id, e.last_turn_id, e.decision
  FROM json_to_recordset($5::json) AS e(number int, kind "EventKind", thread_id int, first_turn_id int,
    last_turn_id int, decision text)
  RETURNING number
), saved_jobs AS (
  ${insertJobsSql(`SELECT $1, j.step, j.subject, j.run_at
  FROM json_to_recordset($6::json) AS j(step text, subject int, run_at timestamptz)`)}
), counted AS (
  UPDATE users SET last_thread = $8, last_turn = $9, last_event = $10, turn_count = turn_count + $11,
    word_count = word_count + $12
  WHERE user_id = $1
)
SELECT id, number FROM saved_turns`,
};

export type SaveInput = {
  threads: readonly PlacedThread[];
  turns: readonly (PlacedTurn & { wordCount: number; cues: number | null })[];
  lateThreadIds: readonly number[];
  events: readonly (EventDraft & { number: number })[];
  jobs: readonly JobDraft[];
  recordedAt: Date;
  lastThread: number;
  /** Whether nothing else is stored in the transaction, so that the commit needs no round trip of its own. */
  isLastStatement: boolean;
};

/** Stores a placement, in one round trip, and commits it if it is the last statement. @returns the turns' numbers in their threads, by turn id */
export async function save(
  tx: Tx,
  state: HotPathState,
  input: SaveInput,
): Promise<Map<number, number>> {
  const words = input.turns.reduce((sum, turn) => sum + turn.wordCount, 0);
  const send = input.isLastStatement ? tx.queryAndCommit : tx.query;
  const rows = await send<{ id: number; number: number }>(SAVE, [
    tx.userId,
    JSON.stringify(
      input.threads.map((thread) => ({
        id: thread.id,
        title: thread.title,
        explicit: thread.explicit,
        state: thread.state satisfies ThreadState,
        inactivity_timeout_minutes: thread.inactivityTimeoutMinutes,
        channels: thread.channels,
        turn_count: thread.turnCount,
        started_at: thread.startedAt,
        last_activity_at: thread.lastActivityAt,
        idle_at: thread.idleAt,
        imported: thread.imported,
      })),
    ),
    JSON.stringify(
      input.turns.map((turn) => ({
        id: turn.id,
        thread_id: turn.threadId,
        number: turn.number,
        role: turn.role,
        speaker: turn.speaker,
        channel: turn.channel,
        text: turn.text,
        tool_calls: turn.toolCalls,
        word_count: turn.wordCount,
        cues: turn.cues,
        occurred_at: turn.occurredAt,
        key_hash: turn.keyHash,
      })),
    ),
    input.lateThreadIds,
    JSON.stringify(
      input.events.map((event) => ({
        number: event.number,
        kind: event.kind,
        thread_id: event.threadId,
        first_turn_id: event.firstTurnId,
        last_turn_id: event.lastTurnId,
        decision: event.decision,
      })),
    ),
    JSON.stringify(
      input.jobs.map((job) => ({ step: job.step, subject: job.subject, run_at: job.runAt })),
    ),
    input.recordedAt,
    input.lastThread,
    state.lastTurn + input.turns.length,
    state.lastEvent + input.events.length,
    input.turns.length,
    words,
  ]);
  return new Map(rows.map((row) => [row.id, row.number]));
}
