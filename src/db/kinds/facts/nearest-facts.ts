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

/** How many facts, those nearest by the signs of their numbers, are compared by all of their numbers. */
const NEAR = 20;

/**
 * The distance of signs costs a tenth of the cosine. Materialized: a fact is read once, not once for every candidate that it is
 * compared with. OFFSET 0: the facts found are read by their keys, also where the table has no statistics yet.
 */
const NEAREST: Statement = {
  name: 'fact-vectors-nearest',
  text: `
WITH asked AS MATERIALIZED (
  SELECT place, polarity, vector, binary_quantize(vector) AS signs FROM (
    SELECT place, polarity, ${vectorAt('$4', 'number', '$5')} AS vector
    FROM json_to_recordset($3::json) AS a(place int, polarity "FactPolarity", number int)) AS given
), held AS MATERIALIZED (
  SELECT f.id, f.polarity, v.signs
  FROM facts f JOIN fact_vectors v ON v.user_id = f.user_id AND v.fact_id = f.id AND v.embedder = $2
  WHERE f.user_id = $1 AND f.valid_to IS NULL AND f.retracted_at IS NULL AND v.signs IS NOT NULL AND f.id <> ALL($6::int[])
), near AS MATERIALIZED (
  SELECT asked.place, asked.vector, own.id FROM asked, LATERAL (
    SELECT id FROM held WHERE held.polarity = asked.polarity ORDER BY held.signs <~> asked.signs LIMIT ${NEAR}) AS own
)
SELECT DISTINCT ON (near.place) near.place, own.id, own.category, own.key, own.value, own.statement,
  1 - (own.embedding <=> near.vector) AS cosine
FROM near CROSS JOIN LATERAL (
  SELECT f.id, f.category, f.key, f.value, f.statement, v.embedding
  FROM facts f JOIN fact_vectors v ON v.user_id = $1 AND v.fact_id = f.id AND v.embedder = $2
  WHERE f.user_id = $1 AND f.id = near.id OFFSET 0) AS own
ORDER BY near.place, own.embedding <=> near.vector`,
};

/**
 * For each candidate the active fact of its polarity that is nearest by meaning, whatever its category.
 * @param except facts that are not active any more
 */
export const nearest = (
  tx: Tx,
  embedder: string,
  asked: readonly { place: number; polarity: string; vector: Float32Array }[],
  except: readonly number[],
): Promise<NearFact[]> => {
  const rows = asked.map(({ place, polarity }, number) => ({ place, polarity, number }));
  const vectors = asked.map(({ vector }) => vector);
  const values = [JSON.stringify(rows), ...vectorParameters(vectors)];
  return tx.query(NEAREST, [tx.userId, embedder, ...values, except]);
};
