import { vectorIndexName } from '../../domain/core/vector.ts';
import type { Database, Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../core/vectors.ts';

/**
 * The nearest vectors of a large memory by an HNSW index (Malkov and Yashunin 2016) over the signs of their numbers: a
 * twentieth of the size of one over the numbers, and what it finds is put in its exact order. There is one index for each
 * length of vectors, made when first needed; only rows of large memories are in it, so that small ones pay nothing.
 */
const indexName = (dimension: number): string => `turn_vectors_hnsw_${dimension}`;

/** The name under which the index notes up to which turn a user's vectors are in it. */
const nameOf = (embedder: string): string => `hnsw:${embedder}`;

/** Of so many found by signs the nearest are taken. At most 1,000, which is what the index can be asked for. */
const BY_SIGNS = 400;

const EXISTS: Statement = {
  name: 'hnsw-exists',
  text: 'SELECT to_regclass($1) IS NOT NULL AS made',
};

/** Makes the index for vectors of this length where it is missing; it begins empty. */
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

/** Where a user's vectors stand. */
export type HnswState = {
  turns: number;
  /** Up to which turn they are in the index, and up to which they are made. */
  through: number;
  embedded: number;
  /** About how many vectors of all users are in the index. */
  indexed: number;
};

/** Where a user's vectors of this length stand. */
export async function state(tx: Tx, embedder: string, dimension: number): Promise<HnswState> {
  const values = [tx.userId, nameOf(embedder), vectorIndexName(embedder), indexName(dimension)];
  const [row] = await tx.query<HnswState>(STATE, values);
  return row ?? { turns: 0, through: 0, embedded: 0, indexed: 0 };
}

/** Turns forgotten meanwhile have no vector to enter, and a step that runs twice enters nothing twice. */
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

/** Enters the next vectors of a user. Returns up to which turn they are in the index now. */
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

/** For a statement that only this index answers fast: the planner does not know how much of it is the user's. */
const BY_INDEX: Statement = {
  name: 'hnsw-by-index',
  text: `SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', '${BY_SIGNS}', true)`,
};
const AS_USUAL: Statement = {
  name: 'hnsw-as-usual',
  text: `SELECT set_config('enable_sort', 'on', true)`,
};

/**
 * The turns whose vectors are nearest, of those in the index and of newer ones; null when the index gives up before it has
 * enough of this user's.
 * @param by up to which turn the index is complete, and how many are asked for
 */
export async function nearest(
  tx: Tx,
  embedder: string,
  vector: ArrayLike<number>,
  by: { through: number; most: number },
): Promise<number[] | null> {
  const name = `hnsw-nearest-${vector.length}`;
  const values = [tx.userId, embedder, queryParameter(vector), by.through, by.most];
  await tx.query(BY_INDEX, []);
  const rows = await tx.query<{ id: number; found: number }>(
    { name, text: nearestSql(vector.length) },
    values,
  );
  await tx.query(AS_USUAL, []);
  return (rows[0]?.found ?? 0) < BY_SIGNS ? null : rows.map(({ id }) => id);
}
