import type { FactCategory } from '../../../domain/facts/fact.ts';
import type { Statement, Tx } from '../../core/database.ts';
import { vectorAt, vectorParameters } from '../../core/vectors.ts';

/** The active fact that is nearest to a candidate, and how near. */
export type NearFact = {
  place: number;
  id: number;
  category: FactCategory;
  key: string | null;
  value: string;
  statement: string;
  cosine: number;
};

/** Materialized: a vector is read once, not once for every fact that it is compared with. */
const NEAREST: Statement = {
  name: 'fact-vectors-nearest',
  text: `
WITH asked AS MATERIALIZED (
  SELECT place, polarity, ${vectorAt('$4', 'number', '$5')} AS vector
  FROM json_to_recordset($3::json) AS a(place int, polarity "FactPolarity", number int)
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
): Promise<NearFact[]> => {
  const rows = asked.map(({ place, polarity }, number) => ({ place, polarity, number }));
  const vectors = asked.map(({ vector }) => vector);
  const values = [JSON.stringify(rows), ...vectorParameters(vectors)];
  return tx.query(NEAREST, [tx.userId, embedder, ...values]);
};
