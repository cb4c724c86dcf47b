import type { FactCategory } from '../../domain/facts/fact.ts';
import type { MemoryCandidate } from '../../domain/ranking/candidate.ts';
import { parseArray } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { halfvecOf, queryParameter } from '../core/vectors.ts';
import { type DescribedKind, isVectorOf } from '../kinds/kind.ts';
import { DESCRIBED_KINDS } from '../kinds/kinds.ts';
import { millisecondsSql } from './scan-turns.ts';

/**
 * Finds the candidates of the other kinds of memory: of each kind the best by BM25 and the nearest by vector. There are few
 * of each kind, so all are scanned, and the BM25 statistics are computed from them. These texts are short and rarely repeat
 * a word, so each word counts once. Joins of two CTEs are FULL, which a nested loop cannot do. The candidates come as arrays, which
 * pg parses ten times as fast as rows.
 *
 * $1 user · $2 forms of the query's words · $3 vector or null · $4 embedder · $5 kinds · $6 from · $7 to (exclusive) ·
 * $8 as of · $9 threads · $10 channels · $11 speakers · $12 categories of facts · $13 k1 · $14 b · $15 candidates a list ·
 * $16 when facts are true
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
  ${DESCRIBED_KINDS.map(searchedOf).join('\n  UNION ALL\n  ')}
), size AS MATERIALIZED (
  SELECT kind, count(*)::float8 AS n, greatest(avg(size), 1)::float8 AS mean FROM memory GROUP BY kind
), occurrence AS MATERIALIZED (
  SELECT m.kind, m.id, m.number, m.size, a.place
  FROM memory AS m CROSS JOIN asked AS a WHERE m.words IS NOT NULL AND m.words @@ a.words
), rarity AS MATERIALIZED (
  SELECT s.kind, a.place, s.mean, idf(s.n, d.df) AS idf
  FROM size AS s CROSS JOIN asked AS a
  CROSS JOIN LATERAL (SELECT count(*)::float8 AS df FROM occurrence WHERE kind = s.kind AND place = a.place) AS d
), ideal AS MATERIALIZED (
  SELECT kind, sum(idf) * ($13::float8 + 1) AS ideal FROM rarity GROUP BY kind
), scored AS MATERIALIZED (
  SELECT s.kind, s.id, s.number,
    sum(r.idf * ($13::float8 + 1) / (1 + $13::float8 * (1 - $14::float8 + $14::float8 * s.size / r.mean))) AS bm25
  FROM occurrence AS s JOIN rarity AS r ON r.kind = s.kind AND r.place = s.place GROUP BY 1, 2, 3
), best AS MATERIALIZED (
  SELECT k.kind, b.id, b.number FROM size AS k CROSS JOIN LATERAL (
    SELECT id, number FROM scored WHERE kind = k.kind ORDER BY bm25 DESC, id LIMIT $15::int) AS b
  UNION
  SELECT k.kind, b.id, b.number FROM size AS k CROSS JOIN LATERAL (
    SELECT id, number FROM memory WHERE kind = k.kind AND similarity IS NOT NULL
    ORDER BY similarity DESC, id LIMIT $15) AS b
)
SELECT array_agg(m.kind)::text AS kind, array_agg(m.id)::text AS id, array_agg(m.number)::text AS number,
  array_agg(coalesce(s.bm25, 0))::text AS bm25, array_agg(coalesce(i.ideal, 0))::text AS ideal, array_agg(m.similarity)::text AS similarity,
  array_agg(${millisecondsSql('m.at')})::text AS at, array_agg(${millisecondsSql('m.reviewed_at')})::text AS "reviewedAt",
  array_agg(m.stability)::text AS stability, array_agg(m.surprise)::text AS surprise, array_agg(m.importance)::text AS importance,
  array_agg(m.pinned::int)::text AS pinned
FROM best AS b
FULL JOIN memory AS m ON m.kind = b.kind AND m.id = b.id AND m.number = b.number
FULL JOIN scored AS s ON s.kind = b.kind AND s.id = b.id AND s.number = b.number
FULL JOIN ideal AS i ON i.kind = b.kind
WHERE b.id IS NOT NULL`;

/** SQL for the memories of a kind that may be recalled. */
function searchedOf({ name, rows, search, embed }: DescribedKind): string {
  const { table, row, id, number = '0' } = rows;
  return `SELECT '${name}' AS kind, ${id} AS id, ${number} AS number, length(${row}.words) AS size,
    CASE WHEN ${row}.words @@ (SELECT words FROM any_word) THEN ${row}.words END AS words, (
      SELECT -(v.embedding <#> ${halfvecOf('$3')}) FROM ${embed.table} v
      WHERE v.user_id = $1 AND ${isVectorOf(rows)} AND v.embedder = $4
    ) AS similarity, ${search.at} AS at, ${search.reviewedAt ?? 'NULL::timestamptz'} AS reviewed_at,
    ${search.stability ?? 'NULL::float8'} AS stability, ${search.surprise ?? 'NULL::float8'} AS surprise,
    ${search.importance ?? 'NULL::float8'} AS importance, ${search.pinned ?? 'false'} AS pinned
  FROM ${table} ${search.join ?? ''}
  WHERE ${row}.user_id = $1 AND '${name}' = ANY ($5) AND ${search.where}`;
}

const SEARCH: Statement = { name: 'search-memories', text: TEXT };

/** A search for memories other than turns. In the filter, null means not restricted. */
export type MemorySearch = {
  userId: string;
  /** From `queryFormsOf`. */
  forms: readonly string[];
  /** The query's vector of unit length, made by `embedder`; null searches by words only. */
  vector: ArrayLike<number> | null;
  embedder: string;
  kinds: readonly MemoryCandidate['kind'][];
  filter: MemoryFilter;
  weights: { k1: number; b: number; candidates: number };
};

/** `to` is exclusive. `asOf` finds what was known at that time, null = now, and `factsAt` facts that are true then. */
export type MemoryFilter = {
  from: Date | null;
  to: Date | null;
  asOf: Date | null;
  factsAt: Date;
  threadIds: readonly number[] | null;
  channels: readonly string[] | null;
  speakers: readonly string[] | null;
  categories: readonly FactCategory[] | null;
};

/** The columns of the candidates, as PostgreSQL prints arrays; null without candidates. */
type Columns = Record<keyof MemoryCandidate, string | null>;

/** The candidates for a query among a user's memories other than turns, unordered. */
export async function searchMemories(
  tx: Tx,
  { userId, forms, vector, embedder, kinds, filter: f, weights: w }: MemorySearch,
): Promise<MemoryCandidate[]> {
  const [row] = await tx.query<Columns>(SEARCH, [
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
    f.factsAt,
  ]);
  return row?.kind ? candidatesOf({ ...row, kind: row.kind }) : [];
}

function candidatesOf({ kind, ...columns }: Columns & { kind: string }): MemoryCandidate[] {
  const of = (name: keyof typeof columns) => parseArray(columns[name]);
  const [ids, numbers, bm25, ideal] = [of('id'), of('number'), of('bm25'), of('ideal')];
  const [at, reviewedAt, pinned] = [of('at'), of('reviewedAt'), of('pinned')];
  const [similarities, stabilities] = [of('similarity'), of('stability')];
  const [surprises, importances] = [of('surprise'), of('importance')];
  const kinds = kind.slice(1, -1).split(',') as MemoryCandidate['kind'][];
  const date = (time: number | null | undefined) => (time == null ? null : new Date(time));
  return kinds.map((kind, place) => ({
    kind,
    id: ids[place] ?? 0,
    number: numbers[place] ?? 0,
    bm25: bm25[place] ?? 0,
    ideal: ideal[place] ?? 0,
    similarity: similarities[place] ?? null,
    at: new Date(at[place] ?? 0),
    reviewedAt: date(reviewedAt[place]),
    stability: stabilities[place] ?? null,
    surprise: surprises[place] ?? null,
    importance: importances[place] ?? null,
    pinned: pinned[place] === 1,
  }));
}
