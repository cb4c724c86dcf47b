import type { FactCategory } from '../../domain/facts/fact.ts';
import type { MemoryCandidate } from '../../domain/ranking/candidate.ts';
import type { Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../vectors/vectors.ts';

/**
 * What is recalled beside turns: of each kind the best by BM25 and the nearest by vector. There are few of each, so that
 * all are looked at, and statistics come from what there is. A text of this length seldom says a word twice: a word
 * counts once. Joins of two CTEs are FULL, which a nested loop cannot do.
 *
 * $1 user · $2 forms of the query's words · $3 vector or null · $4 embedder · $5 kinds · $6 from · $7 to (exclusive) ·
 * $8 as of · $9 threads · $10 channels · $11 speakers · $12 categories of facts · $13 k1 · $14 b · $15 candidates a list
 */
const TEXT = `
WITH asked AS MATERIALIZED (
  SELECT place, words FROM (
    SELECT place, replace(plainto_tsquery('english', forms)::text, '&', '|')::tsquery AS words
    FROM unnest($2::text[]) WITH ORDINALITY AS f (forms, place)
  ) AS q WHERE numnode(words) > 0
), any_word AS MATERIALIZED (
  SELECT string_agg('(' || words::text || ')', ' | ')::tsquery AS words FROM asked
), memory AS MATERIALIZED (
  SELECT 'EPISODE' AS kind, e.id, 0 AS number, length(e.words) AS size,
    CASE WHEN e.words @@ (SELECT words FROM any_word) THEN e.words END AS words, (
      SELECT -(v.embedding <#> ${halfvecOf('$3')}) FROM episode_vectors v
      WHERE v.user_id = $1 AND v.episode_id = e.id AND v.embedder = $4
    ) AS similarity, e.ended_at AS at, e.last_reviewed_at AS reviewed_at, e.stability, e.surprise,
    NULL::float8 AS importance, false AS pinned
  FROM episodes e
  WHERE e.user_id = $1 AND 'EPISODE' = ANY ($5) AND e.kind <> 'PRIMARY' AND e.summary IS NOT NULL
    AND (e.capture IS NULL OR e.capture = 'CREATED') AND ${within('e')} AND ${saidIn('e')}
  UNION ALL
  SELECT 'FACT', f.id, 0, length(f.words), CASE WHEN f.words @@ (SELECT words FROM any_word) THEN f.words END, (
      SELECT -(v.embedding <#> ${halfvecOf('$3')}) FROM fact_vectors v
      WHERE v.user_id = $1 AND v.fact_id = f.id AND v.embedder = $4
    ), f.last_verified_at, NULL, NULL, NULL, f.importance, f.pinned
  FROM facts f
  WHERE f.user_id = $1 AND 'FACT' = ANY ($5) AND f.retracted_at IS NULL
    AND ($12::text[] IS NULL OR f.category::text = ANY ($12))
    AND ($6::timestamptz IS NULL OR f.valid_from >= $6) AND ($7::timestamptz IS NULL OR f.valid_from < $7)
    AND (f.valid_to IS NULL OR f.valid_to > $8) AND ($8::timestamptz IS NULL OR f.valid_from <= $8)
    AND (${anyTurn()} OR EXISTS (
      SELECT FROM fact_sources s JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
      WHERE s.user_id = $1 AND s.fact_id = f.id AND ${saidBy()}))
  UNION ALL
  SELECT 'SEMANTIC_MEMORY', m.id, 0, length(m.words),
    CASE WHEN m.words @@ (SELECT words FROM any_word) THEN m.words END, (
      SELECT -(v.embedding <#> ${halfvecOf('$3')}) FROM semantic_memory_vectors v
      WHERE v.user_id = $1 AND v.semantic_memory_id = m.id AND v.embedder = $4
    ), m.ended_at, NULL, NULL, NULL, NULL, false
  FROM semantic_memories m
  WHERE m.user_id = $1 AND 'SEMANTIC_MEMORY' = ANY ($5) AND m.summary IS NOT NULL AND ${within('m')}
    AND (${anyTurn()} OR EXISTS (
      SELECT FROM episodes e WHERE e.user_id = $1 AND e.summarized_into_id = m.id AND ${saidIn('e')}))
  UNION ALL
  SELECT 'SKILL', e.id, k.number, length(k.words),
    CASE WHEN k.words @@ (SELECT words FROM any_word) THEN k.words END, (
      SELECT -(v.embedding <#> ${halfvecOf('$3')}) FROM skill_vectors v
      WHERE v.user_id = $1 AND v.episode_id = k.episode_id AND v.skill_number = k.number AND v.embedder = $4
    ), e.ended_at, NULL, NULL, NULL, NULL, false
  FROM skills k JOIN episodes e ON e.user_id = k.user_id AND e.id = k.episode_id
  WHERE k.user_id = $1 AND 'SKILL' = ANY ($5) AND ${within('e')} AND ${saidIn('e')}
), size AS MATERIALIZED (
  SELECT kind, count(*)::float8 AS n, greatest(avg(size), 1)::float8 AS mean FROM memory GROUP BY kind
), said AS MATERIALIZED (
  SELECT m.kind, m.id, m.number, m.size, a.place
  FROM memory AS m CROSS JOIN asked AS a WHERE m.words IS NOT NULL AND m.words @@ a.words
), rarity AS MATERIALIZED (
  SELECT s.kind, a.place, s.mean, idf(s.n, d.df) AS idf
  FROM size AS s CROSS JOIN asked AS a
  CROSS JOIN LATERAL (SELECT count(*)::float8 AS df FROM said WHERE kind = s.kind AND place = a.place) AS d
), ideal AS MATERIALIZED (
  SELECT kind, sum(idf) * ($13::float8 + 1) AS ideal FROM rarity GROUP BY kind
), scored AS MATERIALIZED (
  SELECT s.kind, s.id, s.number,
    sum(r.idf * ($13::float8 + 1) / (1 + $13::float8 * (1 - $14::float8 + $14::float8 * s.size / r.mean))) AS bm25
  FROM said AS s JOIN rarity AS r ON r.kind = s.kind AND r.place = s.place GROUP BY 1, 2, 3
), best AS MATERIALIZED (
  SELECT k.kind, b.id, b.number FROM size AS k CROSS JOIN LATERAL (
    SELECT id, number FROM scored WHERE kind = k.kind ORDER BY bm25 DESC, id LIMIT $15::int) AS b
  UNION
  SELECT k.kind, b.id, b.number FROM size AS k CROSS JOIN LATERAL (
    SELECT id, number FROM memory WHERE kind = k.kind AND similarity IS NOT NULL
    ORDER BY similarity DESC, id LIMIT $15) AS b
)
SELECT m.kind, m.id, m.number, m.similarity, m.at, m.reviewed_at AS "reviewedAt", m.stability, m.surprise,
  m.importance, m.pinned, coalesce(s.bm25, 0) AS bm25, coalesce(i.ideal, 0) AS ideal
FROM best AS b
FULL JOIN memory AS m ON m.kind = b.kind AND m.id = b.id AND m.number = b.number
FULL JOIN scored AS s ON s.kind = b.kind AND s.id = b.id AND s.number = b.number
FULL JOIN ideal AS i ON i.kind = b.kind
WHERE b.id IS NOT NULL`;

/** What lasted from `started_at` to `ended_at` touches the time asked about, and was over at the moment of the question. */
function within(row: string): string {
  return `($6::timestamptz IS NULL OR ${row}.ended_at >= $6) AND ($7::timestamptz IS NULL OR ${row}.started_at < $7)
    AND ($8::timestamptz IS NULL OR ${row}.ended_at <= $8)`;
}

/** Whether turns are not restricted. */
function anyTurn(): string {
  return '$9::int[] IS NULL AND $10::text[] IS NULL AND $11::text[] IS NULL';
}

function saidBy(): string {
  return `($9::int[] IS NULL OR t.thread_id = ANY ($9)) AND ($10::text[] IS NULL OR t.channel = ANY ($10))
      AND ($11::text[] IS NULL OR t.speaker = ANY ($11))`;
}

/** One of an episode's turns is among those asked about. */
function saidIn(episode: string): string {
  return `(${anyTurn()} OR EXISTS (
      SELECT FROM turns t WHERE t.user_id = $1 AND t.thread_id = ${episode}.thread_id
        AND t.number BETWEEN ${episode}.first_turn AND ${episode}.last_turn AND ${saidBy()}))`;
}

const SEARCH: Statement = { name: 'search-memories', text: TEXT };

/** What is looked for beside turns; null = not restricted. */
export type MemorySearch = {
  userId: string;
  /** From `queryFormsOf`. */
  forms: readonly string[];
  /** Unit length, by the embedder named; null searches by words alone. */
  vector: ArrayLike<number> | null;
  embedder: string;
  kinds: readonly MemoryCandidate['kind'][];
  filter: MemoryFilter;
  weights: { k1: number; b: number; candidates: number };
};

/** `to` is exclusive. `asOf`: what was known and held then; null = now. */
export type MemoryFilter = {
  from: Date | null;
  to: Date | null;
  asOf: Date | null;
  threadIds: readonly number[] | null;
  channels: readonly string[] | null;
  speakers: readonly string[] | null;
  categories: readonly FactCategory[] | null;
};

/** The memories of a user beside turns that may answer a query, unordered. */
export const searchMemories = (
  tx: Tx,
  { userId, forms, vector, embedder, kinds, filter: f, weights: w }: MemorySearch,
): Promise<MemoryCandidate[]> =>
  tx.query(SEARCH, [
    userId,
    forms,
    queryParameter(vector),
    embedder,
    kinds,
    f.from,
    f.to,
    f.asOf,
    f.threadIds,
    f.channels,
    f.speakers,
    f.categories,
    w.k1,
    w.b,
    w.candidates,
  ]);
