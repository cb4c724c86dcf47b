import { vectorIndexName } from '../../../domain/core/vector.ts';
import type { Statement, Tx } from '../../core/database.ts';
import { readVector, sentVector, vectorAt, vectorParameters } from '../../core/vectors.ts';

/** How far a user's turns have their vectors by one embedder. */
export type VectorProgress = {
  /** Turns remembered. */
  total: number;
  /** Those with a vector. */
  embedded: number;
  /** Those that the embedder has not come to. */
  pending: number;
};

const PROGRESS: Statement = {
  name: 'vector-index-progress',
  text: `
SELECT u.turn_count AS total,
  (SELECT count(*)::int FROM turn_vectors WHERE user_id = $1 AND embedder = $2) AS embedded,
  (SELECT count(*)::int FROM turns WHERE user_id = $1 AND id > coalesce(p.through, 0)) AS pending
FROM users u LEFT JOIN index_progress p ON p.user_id = u.user_id AND p.index_name = $3
WHERE u.user_id = $1`,
};

/** How far a user's vectors by this embedder have come. */
export async function progress(tx: Tx, embedder: string): Promise<VectorProgress> {
  const [row] = await tx.query<VectorProgress>(PROGRESS, [
    tx.userId,
    embedder,
    vectorIndexName(embedder),
  ]);
  return row ?? { total: 0, embedded: 0, pending: 0 };
}

/** The newest turn of the user of a row. */
export const lastTurnOf = (row: string): string =>
  `(SELECT max(id) FROM turns WHERE user_id = ${row}.user_id)`;

/** Materialized, or each text would be read as a vector twice, which takes most of the time. */
const INSERT: Statement = {
  name: 'vectors-insert',
  text: `
WITH new AS MATERIALIZED (
  SELECT turn_id, ${vectorAt('$4', '(number::int - 1)', '$5')} AS embedding
  FROM unnest($3::int[]) WITH ORDINALITY AS v(turn_id, number)
)
INSERT INTO turn_vectors (user_id, embedder, turn_id, embedding, signs)
SELECT $1, $2, turn_id, embedding, binary_quantize(embedding)::varbit FROM new
ON CONFLICT DO NOTHING`,
};

/** Stores the vectors of turns by one embedder. */
export async function insert(
  tx: Tx,
  embedder: string,
  turnIds: readonly number[],
  vectors: readonly Float32Array[],
): Promise<void> {
  await tx.query(INSERT, [tx.userId, embedder, turnIds, ...vectorParameters(vectors)]);
}

const STORED: Statement = {
  name: 'vectors-stored',
  text: `
SELECT turn_id AS "turnId", ${sentVector('embedding')} AS vector FROM turn_vectors
WHERE user_id = $1 AND embedder = $2 AND turn_id = ANY($3::int[])`,
};

const REFUSED: Statement = {
  name: 'vectors-refused',
  text: `
SELECT t.turn_id AS "turnId" FROM index_progress p JOIN unnest($4::int[]) AS t(turn_id) ON t.turn_id <= p.through
WHERE p.user_id = $1 AND p.index_name = $3
  AND NOT EXISTS (SELECT FROM turn_vectors v WHERE v.user_id = $1 AND v.embedder = $2 AND v.turn_id = t.turn_id)`,
};

/** Those of the turns that the embedder has refused: it has come past them, and they have no vector. */
export async function refused(
  tx: Tx,
  embedder: string,
  turnIds: readonly number[],
): Promise<Set<number>> {
  const values = [tx.userId, embedder, vectorIndexName(embedder), turnIds];
  const rows = await tx.query<{ turnId: number }>(REFUSED, values);
  return new Set(rows.map(({ turnId }) => turnId));
}

/** The stored vectors of turns by one embedder, in the order of the ids; null for a turn without one, and for no turn. */
export async function stored(
  tx: Tx,
  embedder: string,
  turnIds: readonly (number | null)[],
): Promise<(Float32Array | null)[]> {
  const rows = await tx.query<{ turnId: number; vector: string }>(STORED, [
    tx.userId,
    embedder,
    turnIds,
  ]);
  const vectors = new Map(rows.map(({ turnId, vector }) => [turnId, readVector(vector)]));
  return turnIds.map((id) => (id === null ? null : (vectors.get(id) ?? null)));
}
