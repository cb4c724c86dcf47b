import type { Database, Statement } from '../db/database.ts';

/**
 * What a recall is compared with: the 100 nearest vectors, exactly, and the 100 best rows by
 * ts_rank_cd over any of the question's words, fused by reciprocal ranks (k = 60).
 */
const REFERENCE: Statement = {
  name: 'bench-reference',
  text: `
WITH asked AS MATERIALIZED (
  SELECT replace(plainto_tsquery('english', $3)::text, '&', '|')::tsquery AS words
), near AS (
  SELECT turn_id, row_number() OVER (ORDER BY distance) AS place FROM (
    SELECT turn_id, embedding <#> $2::halfvec AS distance FROM turn_vectors
    WHERE user_id = $1 AND embedder = $4 ORDER BY 2 LIMIT 100) AS nearest
), worded AS (
  SELECT turn_id, row_number() OVER (ORDER BY score DESC) AS place FROM (
    SELECT turn_id, ts_rank_cd(r.words, (SELECT words FROM asked)) AS score FROM bench_reference AS r
    WHERE user_id = $1 AND r.words @@ (SELECT words FROM asked) ORDER BY 2 DESC LIMIT 100) AS best
)
SELECT t.id, t.speaker, t.text, t.occurred_at,
  coalesce(1.0 / (60 + n.place), 0) + coalesce(1.0 / (60 + w.place), 0) AS score
FROM near AS n FULL JOIN worded AS w USING (turn_id)
JOIN turns AS t ON t.user_id = $1 AND t.id = turn_id
ORDER BY score DESC LIMIT $5`,
};

/** Indexes the turns for the reference in a table of its own, under the same row-level security. */
export async function prepareReference({ pool }: Database): Promise<void> {
  await pool.query(`
    CREATE TABLE bench_reference (user_id text, turn_id int, words tsvector, PRIMARY KEY (user_id, turn_id));
    INSERT INTO bench_reference SELECT user_id, id, to_tsvector('english', coalesce(speaker || ': ', '') || text) FROM turns;
    CREATE INDEX ON bench_reference USING gin (words);
    ALTER TABLE bench_reference ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own_user ON bench_reference
      USING (user_id = (SELECT current_setting('mnemograph.user_id', true)));
    GRANT SELECT ON bench_reference TO mnemograph_app;
    ANALYZE bench_reference`);
}

/** Asks the reference in a transaction of the user's, as a recall does. */
export async function askReference(
  db: Database,
  userId: string,
  { text, vector, first }: { text: string; vector: readonly number[]; first: number },
  embedder: string,
): Promise<void> {
  const values = [userId, `[${vector.join(',')}]`, text, embedder, first];
  await db.asUser(userId, (tx) => tx.query(REFERENCE, values));
}
