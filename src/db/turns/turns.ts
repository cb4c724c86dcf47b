import type { Stretch } from '../../domain/turns/stretch.ts';
import type { Statement, Tx } from '../core/database.ts';
import type { TurnRow } from './remember.ts';

const REST = `t.user_id AS "userId", t.id, t.thread_id AS "threadId", t.number, t.role, t.speaker, t.channel,
  t.occurred_at AS "occurredAt", t.recorded_at AS "recordedAt", t.unread_by_rules AS "unreadByRules"`;

/** How many characters of a tool's result background steps read: an outcome quotes the beginning. */
const RESULT = 1_000;

/** SQL for the tool calls of a turn `t`, as background steps read them: a turn may have 5 MB of results. */
export const CALLS = `(
  SELECT json_agg(json_build_object('name', call->'name', 'ok', call->'ok', 'result', left(call->>'result', ${RESULT})))::text
  FROM jsonb_array_elements(t.tool_calls) AS call
) AS "toolCalls"`;

/**
 * SQL for the first characters of the text of a turn `t`. The end of a long text would cost a hundred times as much, because
 * PostgreSQL has to scan the whole text.
 * @param most SQL for the number of characters, such as a parameter
 */
export const beginningOf = (most: string): string =>
  `CASE WHEN octet_length(t.text) <= ${most}::int THEN t.text ELSE left(t.text, ${most}) END`;

/** A turn without its tool calls. */
export type TurnText = Omit<TurnRow, 'toolCalls'>;

/** A turn as a statement with `CALLS` returns it. */
export type WithCalls<T> = Omit<T, 'toolCalls'> & { toolCalls: string | null };
type Row = WithCalls<TurnRow>;

/** Parses the tool calls that `CALLS` has read. */
export const withCalls = <T extends { toolCalls: string | null }>(
  row: T,
): Omit<T, 'toolCalls'> & Pick<TurnRow, 'toolCalls'> => ({
  ...row,
  toolCalls: row.toolCalls === null ? null : JSON.parse(row.toolCalls),
});

/** Looks turns up one by one by their key. A plan that was made while the memory was small would scan all of it for each. */
const stretchesSql = (columns: string, computed = ''): string => `
WITH chosen AS MATERIALIZED (
  SELECT DISTINCT own.id FROM unnest($2::int[], $3::int[], $4::int[]) AS s(thread_id, first, last) CROSS JOIN LATERAL (
    SELECT id FROM turns WHERE user_id = $1 AND thread_id = s.thread_id AND number BETWEEN s.first AND s.last OFFSET 0) AS own
)
SELECT ${columns}
FROM (
  SELECT own.*${computed}
  FROM chosen c CROSS JOIN LATERAL (SELECT * FROM turns WHERE user_id = $1 AND id = c.id LIMIT 1) AS own
) t`;

const valuesOf = (stretches: readonly Stretch[]) => [
  stretches.map((stretch) => stretch.threadId),
  stretches.map((stretch) => stretch.from),
  stretches.map((stretch) => stretch.to),
];

const STRETCHES: Statement = {
  name: 'turns-stretches',
  text: `${stretchesSql(`${REST}, ${CALLS}, ${beginningOf('$5')} AS text`)} ORDER BY t.thread_id, t.number`,
};

/**
 * The turns in some ranges of threads as background steps read them, each once, ordered by thread and number.
 * @param options.each the most characters that are read of each text
 */
export async function inStretches(
  tx: Tx,
  stretches: readonly Stretch[],
  { each }: { each: number },
): Promise<TurnRow[]> {
  if (stretches.length === 0) return [];
  const rows = await tx.query<Row>(STRETCHES, [tx.userId, ...valuesOf(stretches), each]);
  return rows.map(withCalls);
}

/** The bytes of the texts before a turn. */
const BEFORE = `, sum(octet_length(text)) OVER (ORDER BY thread_id, number) - octet_length(text) AS before`;

const TEXTS: Statement = {
  name: 'turns-texts',
  text: `${stretchesSql(`${REST}, t.text`, BEFORE)} WHERE t.before <= $5::bigint ORDER BY t.thread_id, t.number`,
};

/**
 * The turns in some ranges of threads with their whole texts, each once, ordered by thread and number.
 * @param bytes reading ends with the turn whose text brings the total above this many
 */
export const textsInStretches = async (
  tx: Tx,
  stretches: readonly Stretch[],
  bytes: number,
): Promise<TurnText[]> =>
  stretches.length === 0 ? [] : tx.query(TEXTS, [tx.userId, ...valuesOf(stretches), bytes]);

const NEWEST: Statement = {
  name: 'turns-newest',
  text: `
SELECT ${REST}, CASE WHEN t.bytes <= $5::bigint THEN t.text END AS text
FROM (
  SELECT *, sum(octet_length(text)) OVER (ORDER BY number DESC) AS bytes FROM turns
  WHERE user_id = $1 AND thread_id = $2 AND number BETWEEN $3 AND $4
) t ORDER BY t.number`,
};

/**
 * The turns of a range of a thread, ordered by number. The texts of the newest are read, as many as have up to `bytes` together;
 * those of the others are null.
 */
export const newestOf = (
  tx: Tx,
  { threadId, from, to }: Stretch,
  bytes: number,
): Promise<(Omit<TurnText, 'text'> & { text: string | null })[]> =>
  tx.query(NEWEST, [tx.userId, threadId, from, to, bytes]);

const PLACES: Statement = {
  name: 'turns-places',
  text: `
SELECT t.id, t.thread_id AS "threadId", t.number, t.role, h.state = 'OPEN' AS "isOpen"
FROM turns t JOIN threads h ON h.user_id = t.user_id AND h.id = t.thread_id
WHERE t.user_id = $1 AND t.id = ANY($2::int[]) ORDER BY t.id`,
};

/** The threads, numbers and roles of turns, and whether each thread is open. */
export const places = (
  tx: Tx,
  ids: readonly number[],
): Promise<(Pick<TurnRow, 'id' | 'threadId' | 'number' | 'role'> & { isOpen: boolean })[]> =>
  tx.query(PLACES, [tx.userId, ids]);

const BY_TIME: Statement = {
  name: 'turns-by-time',
  text: `
SELECT * FROM (
  SELECT ${REST}, ${CALLS}, ${beginningOf('$4')} AS text FROM turns t WHERE t.user_id = $1 AND t.thread_id = ANY($2::int[])
  ORDER BY t.occurred_at DESC, t.id DESC LIMIT $3) AS newest
ORDER BY "occurredAt", id`,
};

/** The newest turns of some threads, in event time. @param each see `inStretches` */
export const byTime = async (
  tx: Tx,
  threadIds: readonly number[],
  { most, each }: { most: number; each: number },
): Promise<TurnRow[]> =>
  (await tx.query<Row>(BY_TIME, [tx.userId, threadIds, most, each])).map(withCalls);

const MARK_UNREAD: Statement = {
  name: 'turns-mark-unreadable',
  text: `UPDATE turns SET unread_by_rules = true WHERE user_id = $1 AND id = $2 AND NOT unread_by_rules RETURNING thread_id AS "threadId"`,
};

/** Marks a turn as unreadable for the built-in rules. @returns its thread; null if it is gone or marked already */
export async function markUnreadable(tx: Tx, id: number): Promise<number | null> {
  const [row] = await tx.query<{ threadId: number }>(MARK_UNREAD, [tx.userId, id]);
  return row?.threadId ?? null;
}

const SET_CUES: Statement = {
  name: 'turns-set-cues',
  text: `
UPDATE turns SET cues = n.cues FROM unnest($2::int[], $3::smallint[]) AS n(id, cues)
WHERE turns.user_id = $1 AND turns.id = n.id`,
};

/** Stores the cues of turns, in the order of the ids. See `rankingCuesOf`. */
export async function setCues(
  tx: Tx,
  ids: readonly number[],
  cues: readonly number[],
): Promise<void> {
  await tx.query(SET_CUES, [tx.userId, ids, cues]);
}
