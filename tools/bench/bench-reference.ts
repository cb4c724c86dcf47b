import type { Database, Statement } from '../../src/db/core/database.ts';

/** How the reference stores vectors: in full precision, as most tables do, or in half of the bytes. */
const STORED_AS = ['vector', 'halfvec'] as const;
export type StoredAs = (typeof STORED_AS)[number];

const tableOf = (stored: StoredAs): string => `bench_reference_${stored}`;

/**
 * The query with which a recall is compared: the 100 nearest vectors (exact search) and the 100 best rows by ts_rank_cd for
 * any of the question's words, from one table of turns, fused by reciprocal ranks (k = 60).
 */
const reference = (stored: StoredAs): Statement => ({
  name: tableOf(stored),
  text: `
WITH asked AS MATERIALIZED (
  SELECT replace(plainto_tsquery('english', $3)::text, '&', '|')::tsquery AS words
), near AS (
  SELECT turn_id, row_number() OVER (ORDER BY distance) AS place FROM (
    SELECT turn_id, embedding <#> $2::${stored} AS distance FROM ${tableOf(stored)}
    WHERE user_id = $1 AND embedding IS NOT NULL ORDER BY 2 LIMIT 100) AS nearest
), worded AS (
  SELECT turn_id, row_number() OVER (ORDER BY score DESC) AS place FROM (
    SELECT turn_id, ts_rank_cd(r.words, (SELECT words FROM asked)) AS score FROM ${tableOf(stored)} AS r
    WHERE user_id = $1 AND r.words @@ (SELECT words FROM asked) ORDER BY 2 DESC LIMIT 100) AS best
)
SELECT t.turn_id, t.speaker, t.text, t.occurred_at,
  coalesce(1.0 / (60 + n.place), 0) + coalesce(1.0 / (60 + w.place), 0) AS score
FROM near AS n FULL JOIN worded AS w USING (turn_id)
JOIN ${tableOf(stored)} AS t ON t.user_id = $1 AND t.turn_id = coalesce(n.turn_id, w.turn_id)
ORDER BY score DESC LIMIT $4`,
});

const STATEMENTS = { vector: reference('vector'), halfvec: reference('halfvec') };

/** Copies the turns into tables made for this query, under the same row-level security. */
export async function prepareReference(
  { pool }: Database,
  dimension: number,
  embedder: string,
): Promise<void> {
  for (const stored of STORED_AS) {
    const table = tableOf(stored);
    await pool.query(`
      CREATE TABLE ${table} (user_id text, turn_id int, speaker text, text text, occurred_at timestamptz,
        words tsvector, embedding ${stored}(${dimension}), PRIMARY KEY (user_id, turn_id));
      INSERT INTO ${table}
      SELECT t.user_id, t.id, t.speaker, t.text, t.occurred_at,
        to_tsvector('english', coalesce(t.speaker || ': ', '') || t.text), v.embedding::${stored}
      FROM turns t LEFT JOIN turn_vectors v ON v.user_id = t.user_id AND v.turn_id = t.id AND v.embedder = '${embedder}';
      CREATE INDEX ON ${table} USING gin (words);
      ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own_user ON ${table} USING (user_id = (SELECT current_setting('mnemograph.user_id', true)));
      GRANT SELECT ON ${table} TO mnemograph_app`);
    await pool.query(`VACUUM ANALYZE ${table}`);
  }
}

/** Runs the reference query in a transaction of the user, as a recall does. */
export async function askReference(
  db: Database,
  stored: StoredAs,
  userId: string,
  { text, vector, first }: { text: string; vector: readonly number[]; first: number },
): Promise<void> {
  const values = [userId, `[${vector.join(',')}]`, text, first];
  await db.asUser(userId, (tx) => tx.query(STATEMENTS[stored], values));
}
