import type { Statement, Tx } from '../core/database.ts';
import { readVector, sentVector } from '../core/vectors.ts';
import type { TurnRow } from '../turns/remember.ts';
import { beginningOf, CALLS, type WithCalls, withCalls } from '../turns/turns.ts';

/** A turn with the fields by which threads are compared; `vector` is null if it has none. */
export type ComparedTurn = Pick<
  TurnRow,
  | 'id'
  | 'threadId'
  | 'number'
  | 'role'
  | 'speaker'
  | 'text'
  | 'occurredAt'
  | 'toolCalls'
  | 'unreadByRules'
> & { vector: Float32Array | null };

/** Adding an empty interval to a time keeps the planner from scanning all turns in their order. */
const TURNS: Statement = {
  name: 'link-candidates-turns',
  text: `
WITH chosen AS MATERIALIZED (
  SELECT id, thread_id, number, role, speaker, text, occurred_at, tool_calls, unread_by_rules FROM turns
  WHERE user_id = $1 AND thread_id = $2 AND number BETWEEN $6::int AND $7::int
  UNION ALL
  SELECT last.* FROM unnest($3::int[]) AS s(thread_id) CROSS JOIN LATERAL (
    SELECT id, thread_id, number, role, speaker, text, occurred_at, tool_calls, unread_by_rules FROM turns
    WHERE user_id = $1 AND thread_id = s.thread_id AND occurred_at + interval '0' <= $4
    ORDER BY number DESC LIMIT $8::int) AS last
)
SELECT t.id, t.thread_id AS "threadId", t.unread_by_rules AS "unreadByRules", t.number, t.role, t.speaker, ${beginningOf('$9')} AS
text, t.occurred_at AS "occurredAt",
  ${CALLS}, (
  SELECT ${sentVector('embedding')} FROM turn_vectors
    WHERE user_id = $1 AND turn_id = t.id AND embedder = $5) AS vector
FROM chosen t ORDER BY t.thread_id, t.number`,
};

type ComparedRow = WithCalls<Omit<ComparedTurn, 'vector'>> & { vector: string | null };

/**
 * The turns `from`-`to` of a thread, and the last turns of other threads up to a time, each with its vector.
 * @param each the most characters that are read of each text
 */
export async function turns(
  tx: Tx,
  own: { threadId: number; from: number; to: number },
  others: { threadIds: readonly number[]; until: Date; last: number },
  { embedder, each }: { embedder: string; each: number },
): Promise<ComparedTurn[]> {
  const rows = await tx.query<ComparedRow>(TURNS, [
    tx.userId,
    own.threadId,
    others.threadIds,
    others.until,
    embedder,
    own.from,
    own.to,
    others.last,
    each,
  ]);
  return rows.map((row) => ({
    ...withCalls(row),
    vector: readVector(row.vector),
  }));
}
