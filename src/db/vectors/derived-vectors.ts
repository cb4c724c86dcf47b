import type { DerivedKind } from '../../domain/core/memory-kind.ts';
import type { Statement, Tx } from '../core/database.ts';
import { vectorLiteral } from '../core/vectors.ts';
import { type DescribedKind, isVectorOf } from '../kinds/kind.ts';
import { DESCRIBED_KINDS } from '../kinds/kinds.ts';

/** A memory without a vector by an embedder, and the text to embed. */
type Pending = { id: number; text: string };

function pendingOf({ rows, embed }: DescribedKind): Statement {
  const { table, row, id, number, text, hasText } = rows;
  return {
    name: `${embed.table}-pending`,
    text: `
SELECT ${id} AS id, ${text} AS text FROM ${table}
WHERE ${row}.user_id = $1 AND ${hasText} AND NOT EXISTS (
  SELECT FROM ${embed.table} v WHERE v.user_id = $1 AND ${isVectorOf(rows)} AND v.embedder = $2)
ORDER BY ${[id, number].filter(Boolean).join(', ')} LIMIT $3`,
  };
}

function saveOf({ rows, embed }: DescribedKind): Statement {
  const { table, row, id, key, text } = rows;
  const beside = Object.entries({ ...key, ...embed.beside });
  return {
    name: `${embed.table}-save`,
    text: `
INSERT INTO ${embed.table} (user_id, embedder, embedding, ${beside.map(([column]) => column).join(', ')})
SELECT $1, $2, made.embedding::halfvec, ${beside.map(([, value]) => value).join(', ')}
FROM json_to_recordset($3::json) AS made(id int, text text, embedding text)
JOIN ${table} ON ${row}.user_id = $1 AND ${id} = made.id AND ${text} = made.text
ON CONFLICT DO NOTHING`,
  };
}

const statementsBy = (make: (kind: DescribedKind) => Statement) => {
  const made = DESCRIBED_KINDS.map((kind) => [kind.name, make(kind)] as const);
  return Object.fromEntries(made) as Record<DerivedKind, Statement>;
};
const PENDING = statementsBy(pendingOf);
const SAVE = statementsBy(saveOf);

/** The memories of a kind that have a text and no vector by an embedder. */
export const pending = (
  tx: Tx,
  kind: DerivedKind,
  embedder: string,
  most: number,
): Promise<Pending[]> => tx.query<Pending>(PENDING[kind], [tx.userId, embedder, most]);

/**
 * Stores vectors of a kind, but for memories whose text is another by now; a null says that the embedder refuses the text.
 * The user's row must be locked: else a forget could come between.
 */
export const save = (
  tx: Tx,
  kind: DerivedKind,
  embedder: string,
  made: readonly (Pending & { vector: Float32Array | null })[],
): Promise<object[]> => {
  const rows = made.map(({ vector, ...own }) => ({
    ...own,
    embedding: vector && vectorLiteral(vector),
  }));
  return tx.query(SAVE[kind], [tx.userId, embedder, JSON.stringify(rows)]);
};
