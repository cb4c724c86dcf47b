import type { Statement, Tx } from '../core/database.ts';

/** The parts of a turn that may be long: its text, or its tool calls as JSON. */
export type StoredContent = 'text' | 'toolCalls';

/** What is read at a time: contents of turns with ids above `after`, up to about `bytes`. */
export type ContentPiece = { ids: readonly number[]; after: number; bytes: number };

/**
 * Reads contents of turns in the order of their ids, ending with the one that reaches the limit of bytes. Lengths are
 * computed first, so that only the contents that are returned are read.
 */
const statementOf = (name: string, column: string, rows: number): Statement => ({
  name,
  text: `
SELECT id, value FROM (
  SELECT id, value, sum(octet_length(value)) OVER (ORDER BY id) - octet_length(value) AS earlier FROM (
    SELECT id, ${column}::text AS value FROM turns
    WHERE user_id = $1 AND id = ANY($2::int[]) AND id > $3 AND ${column} IS NOT NULL ORDER BY id LIMIT ${rows}) AS next
) AS measured WHERE earlier < $4 ORDER BY id`,
});

const STATEMENTS: Record<StoredContent, Statement> = {
  text: statementOf('turn-contents-text', 'text', 10_000),
  // PostgreSQL has to serialise JSON to measure it, so few turns are read at a time: one may have 5 MB.
  toolCalls: statementOf('turn-contents-tool-calls', 'tool_calls', 20),
};

/** The next contents of some turns; empty if there are none after `after`. */
export const next = (
  tx: Tx,
  content: StoredContent,
  { ids, after, bytes }: ContentPiece,
): Promise<{ id: number; value: string }[]> =>
  tx.query(STATEMENTS[content], [tx.userId, ids, after, bytes]);
