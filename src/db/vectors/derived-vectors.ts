import type { DerivedKind } from '../../domain/core/memory-kind.ts';
import type { Step } from '../../pipeline.ts';
import type { Statement, Tx } from '../core/database.ts';
import { vectorAt, vectorParameters } from '../core/vectors.ts';
import { type DescribedKind, isVectorOf } from '../kinds/kind.ts';
import { DESCRIBED_KINDS } from '../kinds/kinds.ts';

/** A memory without a vector by an embedder, and the text to embed. */
type PendingText = { kind: DerivedKind; id: number; text: string };

/** The memories of a kind and a user, given as SQL, that have a text and no vector by an embedder. */
function withoutVector({ rows, embed }: DescribedKind, user: string, embedder: string): string {
  const { table, row, hasText } = rows;
  return `FROM ${table} WHERE ${row}.user_id = ${user} AND ${hasText} AND NOT EXISTS (
    SELECT FROM ${embed.table} v
    WHERE v.user_id = ${user} AND ${isVectorOf(rows)} AND v.embedder = ${embedder} OFFSET 0)`;
}

/** The condition that a user, given as SQL, has memories besides turns that have a text and no vector by an embedder. */
export const lacksVectors = (user: string, embedder: string): string =>
  DESCRIBED_KINDS.map((kind) => `EXISTS (SELECT ${withoutVector(kind, user, embedder)})`).join(
    ' OR ',
  );

/** The memories of a kind that have a text and no vector by the embedder $2, at most $3. */
function pendingOf(kind: DescribedKind): string {
  const { id, number, text } = kind.rows;
  return `(
  SELECT '${kind.name}' AS kind, ${id} AS id, ${text} AS text ${withoutVector(kind, '$1', '$2')}
  ORDER BY ${[id, number].filter(Boolean).join(', ')} LIMIT $3)`;
}

function saveOf({ name, rows, embed }: DescribedKind): string {
  const { table, row, id, key, text } = rows;
  const beside = Object.entries({ ...key, ...embed.beside });
  return `saved_${embed.table} AS (
  INSERT INTO ${embed.table} (user_id, embedder, embedding, ${beside.map(([column]) => column).join(', ')})
  SELECT $1, $2, made.embedding, ${beside.map(([, value]) => value).join(', ')}
  FROM made JOIN ${table} ON ${row}.user_id = $1 AND ${id} = made.id AND ${text} = made.text
  WHERE made.kind = '${name}' ON CONFLICT DO NOTHING)`;
}

/** A statement over the kinds of each step that embeds. */
const statementsBy = (name: string, make: (kinds: readonly DescribedKind[]) => string) => {
  const steps = new Set(DESCRIBED_KINDS.map(({ embed }) => embed.step));
  return new Map(
    [...steps].map((step): [Step, Statement] => {
      const kinds = DESCRIBED_KINDS.filter(({ embed }) => embed.step === step);
      return [step, { name: `${step}-${name}`, text: make(kinds) }];
    }),
  );
};

const PENDING = statementsBy(
  'pending',
  (kinds) =>
    `SELECT kind, id, text FROM (${kinds.map(pendingOf).join(' UNION ALL ')}) AS p LIMIT $3`,
);

const SAVE = statementsBy(
  'save',
  (kinds) => `
WITH made AS MATERIALIZED (
  SELECT kind, id, text, CASE WHEN place IS NOT NULL THEN ${vectorAt('$4', 'place', '$5')} END AS embedding
  FROM json_to_recordset($3::json) AS m(kind text, id int, text text, place int)
), ${kinds.map(saveOf).join(', ')}
SELECT`,
);

const statementOf = (statements: ReadonlyMap<Step, Statement>, step: Step): Statement => {
  const statement = statements.get(step);
  if (!statement) throw new Error(`${step} embeds no kind of memory`);
  return statement;
};

/** The memories of a step's kinds that have a text and no vector by an embedder. */
export const pending = (
  tx: Tx,
  step: Step,
  embedder: string,
  most: number,
): Promise<PendingText[]> =>
  tx.query<PendingText>(statementOf(PENDING, step), [tx.userId, embedder, most]);

/**
 * Stores vectors of a step's kinds, except those of memories whose text has changed meanwhile. Null marks a text that the
 * embedder refuses. The user's row must be locked: otherwise a forget could come between.
 */
export const save = (
  tx: Tx,
  step: Step,
  embedder: string,
  made: readonly (PendingText & { vector: Float32Array | null })[],
): Promise<object[]> => {
  const vectors = made.flatMap(({ vector }) => vector ?? []);
  const rows = made.map(({ vector, ...own }) => ({
    ...own,
    place: vector && vectors.indexOf(vector),
  }));
  const values = [JSON.stringify(rows), ...vectorParameters(vectors)];
  return tx.query(statementOf(SAVE, step), [tx.userId, embedder, ...values]);
};
