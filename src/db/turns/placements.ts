import type { EventDraft } from '../../domain/core/event.ts';
import type { PlacedThread, PlacedTurn } from '../../domain/threads/placement.ts';
import type { ThreadState } from '../../domain/threads/thread.ts';
import type { JobDraft } from '../../steps.ts';
import { insertJobsSql } from '../operations/jobs.ts';
import { type AnyTx, forUsers, type HotPathState, usersOf } from './remember.ts';

/** Stores threads, turns, events, jobs and the counts of users in one statement: the values 2 to 6. */
const SAVE = forUsers(
  'remember-save',
  ({ user, users }) => `
WITH new_turns AS (
  SELECT * FROM json_to_recordset($3::json) AS n(user_id text, id int, thread_id int, number int, role "Role", speaker text,
    channel text, text text, tool_calls jsonb, word_count int, cues smallint, occurred_at timestamptz,
    recorded_at timestamptz, key_hash text, late boolean)
), saved_threads AS (
  INSERT INTO threads (user_id, id, title, explicit, state, inactivity_timeout_minutes, channels, turn_count,
    started_at, last_activity_at, idle_at, imported, recorded_at)
  SELECT ${user('t')}, t.id, t.title, t.explicit, t.state, t.inactivity_timeout_minutes, t.channels, t.turn_count,
    t.started_at, t.last_activity_at, t.idle_at, t.imported, t.recorded_at
  FROM json_to_recordset($2::json) AS t(user_id text, id int, title text, explicit boolean, state "ThreadState",
    inactivity_timeout_minutes int, channels text[], turn_count int, started_at timestamptz,
    last_activity_at timestamptz, idle_at timestamptz, imported boolean, recorded_at timestamptz)
  ON CONFLICT (user_id, id) DO UPDATE SET state = excluded.state, channels = excluded.channels,
    turn_count = excluded.turn_count, started_at = excluded.started_at,
    last_activity_at = excluded.last_activity_at, idle_at = excluded.idle_at
), late AS (
  SELECT user_id, thread_id, min(occurred_at) AS earliest FROM new_turns WHERE late GROUP BY user_id, thread_id
), moved AS (
  UPDATE turns t SET number = t.number + (
    SELECT count(*) FROM new_turns n
    WHERE n.user_id = t.user_id AND n.thread_id = t.thread_id AND n.occurred_at < t.occurred_at)
  FROM late l WHERE t.user_id = ${user('l')} AND t.thread_id = l.thread_id AND t.occurred_at > l.earliest
), saved_turns AS (
  INSERT INTO turns (user_id, id, thread_id, number, role, speaker, channel, text, tool_calls, word_count,
    cues, occurred_at, recorded_at, key_hash)
  SELECT ${user('n')}, n.id, n.thread_id,
    CASE WHEN n.late THEN (
      SELECT count(*) FROM turns t
      WHERE t.user_id = ${user('n')} AND t.thread_id = n.thread_id AND t.occurred_at <= n.occurred_at
    ) + row_number() OVER (PARTITION BY n.user_id, n.thread_id ORDER BY n.id) ELSE n.number END,
    n.role, n.speaker, n.channel, n.text, n.tool_calls, n.word_count, n.cues, n.occurred_at, n.recorded_at,
    decode(n.key_hash, 'hex')
  FROM new_turns n
  RETURNING user_id, id, number
), saved_events AS (
  INSERT INTO memory_events (user_id, number, kind, at, thread_id, first_turn_id, last_turn_id, decision)
  SELECT ${user('e')}, e.number, e.kind, e.at, e.thread_id, e.first_turn_id, e.last_turn_id, e.decision
  FROM json_to_recordset($4::json) AS e(user_id text, number int, kind "EventKind", at timestamptz, thread_id int,
    first_turn_id int, last_turn_id int, decision text)
  RETURNING number
), saved_jobs AS (
  ${insertJobsSql(`SELECT ${user('j')}, j.step, j.subject, j.run_at
  FROM json_to_recordset($5::json) AS j(user_id text, step text, subject int, run_at timestamptz)`)}
), counted AS (
  UPDATE users u SET last_thread = n.last_thread, last_turn = n.last_turn, last_event = n.last_event,
    turn_count = u.turn_count + n.turns, word_count = u.word_count + n.words
  FROM json_to_recordset($6::json) AS n(user_id text, last_thread int, last_turn int, last_event int, turns int, words int)
  WHERE u.user_id = ${user('n')} AND n.user_id ${users}
)
SELECT user_id AS "userId", id, number FROM saved_turns`,
);

/** What to store for one user. */
export type SaveInput = {
  userId: string;
  state: HotPathState;
  threads: readonly PlacedThread[];
  turns: readonly (PlacedTurn & { wordCount: number; cues: number | null })[];
  lateThreadIds: readonly number[];
  events: readonly (EventDraft & { number: number })[];
  jobs: readonly JobDraft[];
  recordedAt: Date;
  lastThread: number;
};

/** The turns' numbers in their threads, by turn id. */
export type TurnNumbers = Map<number, number>;

/**
 * Stores placements of different users, in one round trip; none if there are none.
 * @param isLastStatement whether nothing else is stored in the transaction, so that the commit needs no round trip of its own
 * @returns the turns' numbers by user
 */
export async function save(
  tx: AnyTx,
  inputs: readonly SaveInput[],
  isLastStatement: boolean,
): Promise<Map<string, TurnNumbers>> {
  if (inputs.length === 0) return new Map();
  const send = isLastStatement ? tx.queryAndCommit : tx.query;
  const rows = await send<{ userId: string; id: number; number: number }>(SAVE(tx), [
    usersOf(tx),
    JSON.stringify(inputs.flatMap(threadRows)),
    JSON.stringify(inputs.flatMap(turnRows)),
    JSON.stringify(inputs.flatMap(eventRows)),
    JSON.stringify(inputs.flatMap(jobRows)),
    JSON.stringify(inputs.map(userRow)),
  ]);
  const numbers = new Map(inputs.map(({ userId }): [string, TurnNumbers] => [userId, new Map()]));
  for (const { userId, id, number } of rows) numbers.get(userId)?.set(id, number);
  return numbers;
}

const threadRows = ({ userId, threads, recordedAt }: SaveInput): object[] =>
  threads.map((thread) => ({
    user_id: userId,
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
    recorded_at: recordedAt,
  }));

const turnRows = ({ userId, turns, lateThreadIds, recordedAt }: SaveInput): object[] =>
  turns.map((turn) => ({
    user_id: userId,
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
    recorded_at: recordedAt,
    key_hash: turn.keyHash,
    late: lateThreadIds.includes(turn.threadId),
  }));

const eventRows = ({ userId, events, recordedAt }: SaveInput): object[] =>
  events.map((event) => ({
    user_id: userId,
    number: event.number,
    kind: event.kind,
    at: recordedAt,
    thread_id: event.threadId,
    first_turn_id: event.firstTurnId,
    last_turn_id: event.lastTurnId,
    decision: event.decision,
  }));

const jobRows = ({ userId, jobs }: SaveInput): object[] =>
  jobs.map(({ step, subject, runAt }) => ({ user_id: userId, step, subject, run_at: runAt }));

const userRow = ({ userId, state, turns, events, lastThread }: SaveInput): object => ({
  user_id: userId,
  last_thread: lastThread,
  last_turn: state.lastTurn + turns.length,
  last_event: state.lastEvent + events.length,
  turns: turns.length,
  words: turns.reduce((sum, turn) => sum + turn.wordCount, 0),
});
