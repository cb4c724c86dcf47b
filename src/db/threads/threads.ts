import type { ThreadState } from '../../domain/threads/thread.ts';
import type { Statement, Tx } from '../core/database.ts';

/** A thread as stored, in the shape of its Prisma model. */
export type ThreadRow = {
  userId: string;
  id: number;
  title: string | null;
  explicit: boolean;
  state: ThreadState;
  inactivityTimeoutMinutes: number | null;
  channels: string[];
  turnCount: number;
  segmentedThrough: number;
  compactedThrough: number;
  startedAt: Date;
  lastActivityAt: Date;
  recordedAt: Date;
  idleAt: Date;
};

const COLUMNS = `user_id AS "userId", id, title, explicit, state,
  inactivity_timeout_minutes AS "inactivityTimeoutMinutes", channels, turn_count AS "turnCount",
  segmented_through AS "segmentedThrough", compacted_through AS "compactedThrough", started_at AS "startedAt", last_activity_at AS
  "lastActivityAt", recorded_at AS "recordedAt", idle_at AS "idleAt"`;

const FIND: Statement = {
  name: 'threads-find',
  text: `SELECT ${COLUMNS} FROM threads WHERE user_id = $1 AND id = $2`,
};

export async function find(tx: Tx, id: number): Promise<ThreadRow | null> {
  return (await tx.query<ThreadRow>(FIND, [tx.userId, id]))[0] ?? null;
}

const OPEN: Statement = {
  name: 'threads-open',
  text: `
WITH numbered AS (
  UPDATE users SET last_thread = last_thread + 1 WHERE user_id = $1 RETURNING last_thread
)
INSERT INTO threads (user_id, id, title, explicit, channels, inactivity_timeout_minutes, started_at,
  last_activity_at, recorded_at, idle_at)
SELECT $1, last_thread, $2, true, $3, $4, $5, $5, $5, $6 FROM numbered
RETURNING ${COLUMNS}`,
};

/** Opens an explicit thread, without turns. */
export async function open(
  tx: Tx,
  thread: {
    title: string | null;
    channels: string[];
    inactivityTimeoutMinutes: number | null;
    at: Date;
    idleAt: Date;
  },
): Promise<ThreadRow> {
  const [row] = await tx.query<ThreadRow>(OPEN, [
    tx.userId,
    thread.title,
    thread.channels,
    thread.inactivityTimeoutMinutes,
    thread.at,
    thread.idleAt,
  ]);
  return row as ThreadRow;
}

const UPDATE: Statement = {
  name: 'threads-update',
  text: `
UPDATE threads SET state = $3::"ThreadState", inactivity_timeout_minutes = $4, title = $5, idle_at = $6
WHERE user_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

export async function update(
  tx: Tx,
  thread: Pick<
    ThreadRow,
    'userId' | 'id' | 'state' | 'inactivityTimeoutMinutes' | 'title' | 'idleAt'
  >,
): Promise<ThreadRow> {
  const [row] = await tx.query<ThreadRow>(UPDATE, [
    thread.userId,
    thread.id,
    thread.state,
    thread.inactivityTimeoutMinutes,
    thread.title,
    thread.idleAt,
  ]);
  return row as ThreadRow;
}

const LAST_CHANNEL: Statement = {
  name: 'threads-last-channel',
  text: `
SELECT t.channel, u.inactivity_timeout_minutes AS "userTimeout" FROM turns t JOIN users u ON u.user_id = t.user_id
WHERE t.user_id = $1 AND t.thread_id = $2 ORDER BY t.number DESC LIMIT 1`,
};

/** The channel of a thread's last turn, and its user's own timeout in minutes; null if the thread has no turns. */
export async function lastChannel(
  tx: Tx,
  id: number,
): Promise<{ channel: string; userTimeout: number | null } | null> {
  type Row = { channel: string; userTimeout: number | null };
  return (await tx.query<Row>(LAST_CHANNEL, [tx.userId, id]))[0] ?? null;
}

/** Each key is looked up on its own: there may be twenty thousand, which a search through all turns would compare with each. */
const OF_KEYS: Statement = {
  name: 'threads-of-keys',
  text: `
SELECT t.thread_id AS id FROM unnest($2::text[]) AS hash CROSS JOIN LATERAL (
  SELECT id, thread_id FROM turns WHERE user_id = $1 AND key_hash = decode(hash, 'hex') OFFSET 0
) t ORDER BY t.id LIMIT 1`,
};

/** The thread of the first turn that has one of the keys, given as hashes in hex. */
export async function ofKeys(tx: Tx, keyHashes: readonly string[]): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(OF_KEYS, [tx.userId, keyHashes]);
  return row?.id ?? null;
}
