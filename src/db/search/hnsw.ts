import { vectorIndexName } from '../../domain/core/vector.ts';
import type { Database, Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../core/vectors.ts';

/**
 * Finds the nearest vectors of a large memory with an HNSW index (Malkov and Yashunin 2018) over the sign bits of vectors.
 * It is a twentieth of the size of an index over the numbers; its results are sorted exactly afterwards. There is one index
 * for each vector length, created when first needed. It contains rows of large memories only, so small ones cost nothing.
 */
const indexName = (dimension: number): string => `turn_vectors_hnsw_${dimension}`;

/** The name under which `index_progress` records the last turn of a user that is in the index. */
const nameOf = (embedder: string): string => `hnsw:${embedder}`;

/** How many vectors are found by sign bits before they are sorted exactly; `hnsw.ef_search` allows 1,000. */
const BY_SIGNS = 400;

const EXISTS: Statement = {
  name: 'hnsw-exists',
  text: 'SELECT to_regclass($1) IS NOT NULL AS made',
};

/** Creates the index for vectors of this length if it is missing. It is empty at first. */
export async function ensure(db: Database, dimension: number): Promise<void> {
  const name = indexName(dimension);
  const [row] = await db.system<{ made: boolean }>(EXISTS, [name]);
  if (row?.made) return;
  const text = `CREATE INDEX IF NOT EXISTS ${name} ON turn_vectors
    USING hnsw ((signs::bit(${dimension})) bit_hamming_ops) WHERE hnsw AND length(signs) = ${dimension}`;
  await db.system({ name: `hnsw-ensure-${dimension}`, text }, []);
}

const STATE: Statement = {
  name: 'hnsw-state',
  text: `
SELECT u.turn_count AS turns, coalesce(h.through, 0) AS through, coalesce(v.through, 0) AS embedded,
  greatest(u.turn_count, (SELECT reltuples FROM pg_class WHERE oid = to_regclass($4)))::int AS indexed
FROM users u
LEFT JOIN index_progress h ON h.user_id = u.user_id AND h.index_name = $2
LEFT JOIN index_progress v ON v.user_id = u.user_id AND v.index_name = $3
WHERE u.user_id = $1`,
};

/** The progress of a user's vectors. */
export type HnswState = {
  turns: number;
  /** The last turn that is in the index, and the last turn that has a vector. */
  through: number;
  embedded: number;
  /** The approximate number of vectors of all users in the index. */
  indexed: number;
};

/** Reads the progress of a user's vectors of this length. */
export async function state(tx: Tx, embedder: string, dimension: number): Promise<HnswState> {
  const values = [tx.userId, nameOf(embedder), vectorIndexName(embedder), indexName(dimension)];
  const [row] = await tx.query<HnswState>(STATE, values);
  return row ?? { turns: 0, through: 0, embedded: 0, indexed: 0 };
}

/** Turns that were forgotten meanwhile have no vector to enter. Running it twice enters nothing twice. */
const ENTER: Statement = {
  name: 'hnsw-enter',
  text: `
WITH due AS MATERIALIZED (
  SELECT turn_id FROM turn_vectors
  WHERE user_id = $1 AND embedder = $2 AND turn_id > $4 AND turn_id <= $5
  ORDER BY turn_id LIMIT $6 FOR UPDATE
), last AS MATERIALIZED (
  SELECT CASE WHEN count(*) < $6 THEN $5 ELSE max(turn_id) END AS through FROM due
), entered AS (
  UPDATE turn_vectors v SET hnsw = true FROM due
  WHERE v.user_id = $1 AND v.embedder = $2 AND v.turn_id = due.turn_id AND NOT v.hnsw
)
INSERT INTO index_progress (user_id, index_name, through) SELECT $1, $3, through FROM last
ON CONFLICT (user_id, index_name) DO UPDATE SET through = greatest(index_progress.through, excluded.through)
RETURNING through`,
};

/** Enters the next vectors of a user into the index. @returns the last turn that is in it now */
export async function enter(
  tx: Tx,
  embedder: string,
  { through, embedded, most }: { through: number; embedded: number; most: number },
): Promise<number> {
  const values = [tx.userId, embedder, nameOf(embedder), through, embedded, most];
  const [row] = await tx.query<{ through: number }>(ENTER, values);
  return row?.through ?? embedded;
}

const nearestSql = (dimension: number): string => `
WITH found AS MATERIALIZED (
  SELECT turn_id, embedding FROM turn_vectors
  WHERE user_id = $1 AND embedder = $2 AND hnsw AND length(signs) = ${dimension}
  ORDER BY signs::bit(${dimension}) <~> (SELECT binary_quantize($3::vector::halfvec)::bit(${dimension})) LIMIT ${BY_SIGNS}
)
SELECT turn_id AS id, (SELECT count(*)::int FROM found) AS found FROM (
  SELECT turn_id, embedding FROM found
  UNION ALL SELECT turn_id, embedding FROM turn_vectors WHERE user_id = $1 AND embedder = $2 AND turn_id > $4
) AS either
ORDER BY embedding <#> ${halfvecOf('$3')}, turn_id LIMIT $5`;

/** Makes the planner use the index. It would not otherwise, since it cannot estimate how many entries are the user's. */
const BY_INDEX: Statement = {
  name: 'hnsw-by-index',
  text: `SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', '${BY_SIGNS}', true)`,
};
const AS_USUAL: Statement = {
  name: 'hnsw-as-usual',
  text: `SELECT set_config('enable_sort', 'on', true)`,
};

const SORT_OFF: Statement = { name: 'hnsw-sort-off', text: 'SET LOCAL enable_sort = off' };
const SORT_ON: Statement = { name: 'hnsw-sort-on', text: 'SET LOCAL enable_sort = on' };
const RELAXED: Statement = {
  name: 'hnsw-relaxed',
  text: 'SET LOCAL hnsw.iterative_scan = relaxed_order',
};
const BREADTH: Statement = {
  name: 'hnsw-breadth',
  text: `SET LOCAL hnsw.ef_search = ${BY_SIGNS}`,
};

/** On distributed tables: Citus passes on to the workers what SET LOCAL sets, one setting a statement. */
const byIndex = (tx: Tx): Promise<unknown> =>
  tx.distributed
    ? Promise.all([tx.query(SORT_OFF, []), tx.query(RELAXED, []), tx.query(BREADTH, [])])
    : tx.query(BY_INDEX, []);
const asUsual = (tx: Tx): Promise<unknown> => tx.query(tx.distributed ? SORT_ON : AS_USUAL, []);

/**
 * The turns with the nearest vectors, among those in the index and newer ones.
 * @param by the last turn in the index, and the number of turns to return
 * @returns null if the index scan ends before it has found enough vectors of this user
 */
export async function nearest(
  tx: Tx,
  embedder: string,
  vector: ArrayLike<number>,
  by: { through: number; most: number },
): Promise<number[] | null> {
  const name = `hnsw-nearest-${vector.length}`;
  const values = [tx.userId, embedder, queryParameter(vector), by.through, by.most];
  await byIndex(tx);
  const rows = await tx.query<{ id: number; found: number }>(
    { name, text: nearestSql(vector.length) },
    values,
  );
  await asUsual(tx);
  return (rows[0]?.found ?? 0) < BY_SIGNS ? null : rows.map(({ id }) => id);
}
