import type { Statement, Tx } from '../core/database.ts';

/** What of a turn may be long: its words, or its tool calls as JSON. */
export type TurnContent = 'text' | 'toolCalls';

/** What of the turns behind `after` is read at a time. */
export type ContentPiece = { ids: readonly number[]; after: number; bytes: number };

/**
 * The contents of turns in the order of their ids, up to the one with which so many bytes are read. Only what is given is
 * read: lengths come first.
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

const STATEMENTS: Record<TurnContent, Statement> = {
  text: statementOf('turn-contents-text', 'text', 10_000),
  // To know how long JSON is as text, PostgreSQL writes it: of few turns at a time, since one may have 5 MB.
  toolCalls: statementOf('turn-contents-tool-calls', 'tool_calls', 20),
};

/** The next contents of some turns: none when there are no more behind `after`. */
export const next = (
  tx: Tx,
  content: TurnContent,
  { ids, after, bytes }: ContentPiece,
): Promise<{ id: number; value: string }[]> =>
  tx.query(STATEMENTS[content], [tx.userId, ids, after, bytes]);
