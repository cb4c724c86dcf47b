import type { Statement, Tx } from './database.ts';

/** A vector in pgvector's text form, to five places: half precision holds no more of a unit vector. */
export const vectorLiteral = (vector: ArrayLike<number>): string =>
  `[${Array.from(vector, (value) => Math.round(value * 1e5) / 1e5).join(',')}]`;

const literals = new WeakMap<object, string>();

/** The same of a query's vector, which several statements take: written once. */
export function queryLiteral(vector: ArrayLike<number> | null): string | null {
  if (vector === null) return null;
  const literal = literals.get(vector) ?? vectorLiteral(vector);
  literals.set(vector, literal);
  return literal;
}

/** A vector from pgvector's text form; null stays null. */
export const readVector = (text: string | null): Float32Array | null =>
  text === null ? null : Float32Array.from(JSON.parse(text) as number[]);

const INSERT: Statement = {
  name: 'vectors-insert',
  text: `
INSERT INTO turn_vectors (user_id, embedder, turn_id, embedding, signs)
SELECT $1, $2, v.turn_id, v.embedding::halfvec, binary_quantize(v.embedding::halfvec)::varbit
FROM unnest($3::int[], $4::text[]) AS v(turn_id, embedding)
ON CONFLICT DO NOTHING`,
};

/** Stores the vectors of turns by one embedder. */
export async function insert(
  tx: Tx,
  userId: string,
  embedder: string,
  turnIds: readonly number[],
  vectors: readonly Float32Array[],
): Promise<void> {
  await tx.query(INSERT, [userId, embedder, turnIds, vectors.map(vectorLiteral)]);
}
