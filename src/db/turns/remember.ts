import type { PlacedThread } from '../../domain/threads/placement.ts';
import type { ChannelKind } from '../../domain/turns/channel.ts';
import type { ContentHashes, contentBytes } from '../../domain/turns/same-turn.ts';
import type { Role, ToolCall } from '../../shared/role.ts';
import type { GroupTx, Statement, Tx } from '../core/database.ts';

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

/** A turn that has an idempotency key of the call. `contents` is null if their lengths differ from those of the received turn. */
export type KnownTurn = Omit<TurnRow, 'text' | 'toolCalls'> & {
  keyHash: string;
  contents: ContentHashes | null;
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
  known: KnownTurn[];
  /** Idempotency keys of forgotten turns, as hashes. */
  erasedKeys: string[];
};

const hashOf = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** Contents are read only where they are as long as those of the received turn: so never more than was received. */
const CONTENTS_JSON = `CASE WHEN octet_length(t.text) = a.text_bytes[k.place] THEN
  CASE WHEN t.tool_calls IS NULL THEN json_build_object('text', ${hashOf('t.text')}, 'toolCalls', '[]'::json)
    WHEN a.call_bytes[k.place] > 0 AND a.call_bytes[k.place] = (
      SELECT sum(octet_length(call->>'name') + coalesce(octet_length(call->>'result'), 0))
      FROM jsonb_array_elements(t.tool_calls) AS call)
    THEN json_build_object('text', ${hashOf('t.text')}, 'toolCalls', (
      SELECT json_agg(json_build_object('name', ${hashOf("call->>'name'")}, 'ok', call->'ok', 'result', ${hashOf("call->>'result'")}))
      FROM jsonb_array_elements(t.tool_calls) AS call))
  END END`;

const TURN_JSON = `json_build_object('id', t.id, 'threadId', t.thread_id, 'number', t.number, 'role', t.role,
  'speaker', t.speaker, 'channel', t.channel, 'contents', ${CONTENTS_JSON}, 'occurredAt', t.occurred_at,
  'recordedAt', t.recorded_at, 'unreadByRules', t.unread_by_rules, 'keyHash', encode(t.key_hash, 'hex'))`;

const THREAD_JSON = `json_build_object('id', t.id, 'title', t.title, 'explicit', t.explicit, 'state', t.state,
  'inactivityTimeoutMinutes', t.inactivity_timeout_minutes, 'channels', t.channels, 'turnCount', t.turn_count,
  'segmentedThrough', t.segmented_through, 'imported', t.imported,
  'startedAt', t.started_at, 'lastActivityAt', t.last_activity_at, 'idleAt', t.idle_at)`;

/** A late turn can belong to a thread this far away: the longest timeout that can be set. */
const LONGEST_TIMEOUT = `interval '43200 minutes'`;

/** A transaction of one user, or of several. */
export type AnyTx = Tx | GroupTx;
/** Of whom a transaction is. */
type Whose = Pick<Tx, 'userId'> | Pick<GroupTx, 'userIds'>;

/** The first value of a statement for the users of a transaction. */
export const usersOf = (tx: AnyTx): string | readonly string[] =>
  'userIds' in tx ? tx.userIds : tx.userId;

/**
 * Makes a statement for one user, whom its first value names in each part, as the shards of distributed tables require; and one for
 * several, of which each part takes the user from its rows.
 * @param text builds the text: `user` is SQL for the user of a row, `users` a condition on the users of rows
 */
export function forUsers(
  name: string,
  text: (sql: { user: (row: string) => string; users: string }) => string,
): (whose: Whose) => Statement {
  const ofUser = { name, text: text({ user: () => '$1::text', users: '= $1::text' }) };
  const users = '= ANY($1::text[])';
  const ofGroup = { name: `${name}-group`, text: text({ user: (row) => `${row}.user_id`, users }) };
  return (whose) => ('userIds' in whose ? ofGroup : ofUser);
}

/** `asked` names what to load for which user. Each of them is looked up on its own, however few users there were when it was planned. */
const LOAD = forUsers(
  'remember-load',
  ({ user, users }) => `
SELECT u.user_id AS "userId", u.last_thread AS "lastThread", u.last_turn AS "lastTurn",
  u.last_event AS "lastEvent", u.inactivity_timeout_minutes AS "inactivityTimeoutMinutes",
  (SELECT coalesce(json_agg(json_build_object('name', c.name, 'kind', c.kind,
      'inactivityTimeoutMinutes', c.inactivity_timeout_minutes)), '[]')
    FROM channel_settings c WHERE c.user_id = ${user('a')} AND c.name = ANY(a.channels)) AS channels,
  (WITH latest AS (
    SELECT * FROM threads WHERE user_id = ${user('a')} AND NOT explicit
    ORDER BY last_activity_at DESC, id DESC LIMIT 1
  ), relevant AS (
    SELECT * FROM latest
    UNION
    SELECT * FROM threads WHERE user_id = ${user('a')} AND id = a.thread_id
    UNION
    SELECT t.* FROM threads t, latest l
    WHERE t.user_id = ${user('a')} AND NOT t.explicit AND a.thread_id IS NULL AND a.earliest < l.last_activity_at
      AND t.last_activity_at >= a.earliest - ${LONGEST_TIMEOUT}
      AND t.started_at <= a.latest + ${LONGEST_TIMEOUT}
  ) SELECT coalesce(json_agg(${THREAD_JSON}), '[]') FROM relevant t) AS threads,
  (SELECT coalesce(json_agg(${TURN_JSON}), '[]')
    FROM turns t CROSS JOIN LATERAL (SELECT array_position(a.key_hashes, t.key_hash) AS place) AS k
    WHERE t.user_id = ${user('a')} AND t.key_hash = ANY(a.key_hashes)) AS known,
  (SELECT coalesce(json_agg(encode(k.key_hash, 'hex')), '[]')
    FROM erased_keys k WHERE k.user_id = ${user('a')} AND k.key_hash = ANY(a.key_hashes)) AS "erasedKeys"
FROM (
  SELECT user_id, thread_id, earliest, latest, channels, ARRAY(SELECT decode(h, 'hex') FROM unnest(hashes) h) AS key_hashes,
    text_bytes, call_bytes
  FROM json_to_recordset($2::json) AS asked(user_id text, thread_id int, earliest timestamptz, latest timestamptz,
    channels text[], hashes text[], text_bytes int[], call_bytes int[]) WHERE user_id ${users} OFFSET 0
) a CROSS JOIN LATERAL (SELECT * FROM users WHERE user_id = ${user('a')} OFFSET 0) u`,
);

export type LoadInput = {
  userId: string;
  threadId: number | null;
  earliest: Date;
  latest: Date;
  channels: string[];
  /** The turns with an idempotency key: its hash, and the lengths of the contents. */
  keyed: { keyHash: string; bytes: ReturnType<typeof contentBytes> }[];
};

/**
 * Reads what placing the turns of each call depends on, in one round trip. The users' rows must be locked.
 * @returns the states by user, of the users that are stored
 */
export async function load(
  tx: AnyTx,
  asked: readonly LoadInput[],
): Promise<Map<string, HotPathState>> {
  const rows = await tx.query<HotPathState & { userId: string }>(LOAD(tx), [
    usersOf(tx),
    JSON.stringify(
      asked.map((one) => ({
        user_id: one.userId,
        thread_id: one.threadId,
        earliest: one.earliest,
        latest: one.latest,
        channels: one.channels,
        hashes: one.keyed.map(({ keyHash }) => keyHash),
        text_bytes: one.keyed.map(({ bytes }) => bytes.text),
        call_bytes: one.keyed.map(({ bytes }) => bytes.toolCalls),
      })),
    ),
  ]);
  return new Map(rows.map(({ userId, ...state }) => [userId, withDates(userId, state)]));
}

const withDates = (userId: string, { threads, known, ...state }: HotPathState): HotPathState => ({
  ...state,
  threads: threads.map((thread) => ({
    ...thread,
    startedAt: new Date(thread.startedAt),
    lastActivityAt: new Date(thread.lastActivityAt),
    idleAt: new Date(thread.idleAt),
  })),
  known: known.map((turn) => ({
    ...turn,
    userId,
    occurredAt: new Date(turn.occurredAt),
    recordedAt: new Date(turn.recordedAt),
  })),
});
