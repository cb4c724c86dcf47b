import type { FactCategory } from '../../domain/facts/fact.ts';
import type { Statement, Tx } from '../core/database.ts';
import { pendingBy, saveBy } from './pending-vectors.ts';
import { vectorLiteral } from './vectors.ts';

/** Seed 001: the vector of "category: fact". */
const PENDING: Statement = {
  name: 'fact-vectors-pending',
  text: `
SELECT f.id, lower(f.category::text) || ': ' || f.statement AS text FROM facts f
WHERE f.user_id = $1 AND NOT EXISTS (
  SELECT FROM fact_vectors v WHERE v.user_id = $1 AND v.fact_id = f.id AND v.embedder = $2)
ORDER BY f.id LIMIT $3`,
};

/** Facts that have no vector by an embedder. */
export const pending = pendingBy(PENDING);

const SAVE: Statement = {
  name: 'fact-vectors-save',
  text: `
INSERT INTO fact_vectors (user_id, fact_id, embedder, embedding)
SELECT $1, f.id, $2, made.embedding::halfvec
FROM json_to_recordset($3::json) AS made(id int, embedding text) JOIN facts f ON f.user_id = $1 AND f.id = made.id
ON CONFLICT DO NOTHING`,
};

/** Stores vectors of facts. */
export const save = saveBy(SAVE);

/** The active fact that is nearest to a candidate, and how near. */
export type Neighbour = {
  place: number;
  id: number;
  category: FactCategory;
  key: string | null;
  value: string;
  statement: string;
  cosine: number;
};

/** Materialized: a vector's text is read once, not once for every fact that it is compared with. */
const NEAREST: Statement = {
  name: 'fact-vectors-nearest',
  text: `
WITH asked AS MATERIALIZED (
  SELECT place, polarity, vector::halfvec AS vector
  FROM json_to_recordset($3::json) AS a(place int, polarity "FactPolarity", vector text)
)
SELECT asked.place, own.id, own.category, own.key, own.value, own.statement, 1 - own.distance AS cosine
FROM asked, LATERAL (
  SELECT f.id, f.category, f.key, f.value, f.statement, v.embedding <=> asked.vector AS distance
  FROM facts f JOIN fact_vectors v ON v.user_id = f.user_id AND v.fact_id = f.id AND v.embedder = $2
  WHERE f.user_id = $1 AND f.valid_to IS NULL AND f.retracted_at IS NULL AND f.polarity = asked.polarity
    AND v.embedding IS NOT NULL
  ORDER BY distance LIMIT 1) AS own`,
};

/** For each candidate the active fact of its polarity that is nearest by meaning, whatever its category. */
export const nearest = (
  tx: Tx,
  embedder: string,
  asked: readonly { place: number; polarity: string; vector: Float32Array }[],
): Promise<Neighbour[]> => {
  const rows = asked.map(({ vector, ...own }) => ({ ...own, vector: vectorLiteral(vector) }));
  return tx.query(NEAREST, [tx.userId, embedder, JSON.stringify(rows)]);
};
