import { WHOLE_BYTES } from '../../domain/turns/turn.ts';
import { halfvecOf } from '../core/vectors.ts';

const QUERY = halfvecOf('$3');

/**
 * Finds one user's candidates for a query, in one statement. It is written for generic plans and for plans without
 * statistics (PGlite has none): every CTE is materialised, every look-up by key is a LATERAL behind OFFSET 0, and joins of
 * two CTEs are FULL, which a nested loop cannot do. The vector is a halfvec everywhere, because text would be parsed again
 * for every row. Ties are ordered, so that select-turns.ts finds the same candidates.
 *
 * $1 user · $2 terms · $3 vector or null · $4 embedder · $5 neighbours on each side · $6 their weights, from the earliest ·
 * $7 k1 · $8 candidates per list · $9 common share · $10 postings budget
 *
 * @param near SQL that finds the nearest turns by vector
 */
export function searchSql(filter: string, near = nearestOf(filter)): string {
  return `
WITH size AS MATERIALIZED (
  SELECT greatest(turn_count, 1)::float8 AS turns,
    word_count::float8 / greatest(turn_count, 1) AS mean_words,
    (SELECT count(*) FROM threads WHERE user_id = $1) AS threads, time_zone,
    coalesce((SELECT max(id) FROM turns WHERE user_id = $1), 0) <= coalesce((
      SELECT through FROM index_progress WHERE user_id = $1 AND index_name = 'vectors:' || $4::text
    ), 0) AS embedded
  FROM users WHERE user_id = $1
), term AS MATERIALIZED (
  SELECT q.place::int - 1 AS place, q.term, p.df,
    sum(p.df) OVER (ORDER BY p.df, q.place) - p.df AS rarer, min(p.df) OVER () AS least
  FROM unnest($2::text[]) WITH ORDINALITY AS q (term, place)
  CROSS JOIN LATERAL (SELECT count(*)::int AS df FROM postings WHERE user_id = $1 AND term = q.term) AS p
  WHERE p.df > 0
), used AS MATERIALIZED (
  SELECT place, term, df, idf(turns, df) AS idf
  FROM term, size
  WHERE (df <= $9::float8 * turns OR df = least) AND rarer < $10::int
), own AS MATERIALIZED (
  SELECT u.place, u.idf, t.thread_id, t.number, p.frequency
  FROM used AS u
  CROSS JOIN LATERAL (SELECT turn_id, frequency FROM postings WHERE user_id = $1 AND term = u.term OFFSET 0) AS p
  CROSS JOIN LATERAL (
    SELECT thread_id, number FROM turns WHERE user_id = $1 AND id = p.turn_id OFFSET 0
  ) AS t
), lent AS MATERIALIZED (
  SELECT o.thread_id, o.number + $5::int + 1 - n.place::int AS number, o.place, o.idf,
    sum(o.frequency * n.weight) AS frequency
  FROM own AS o CROSS JOIN unnest($6::float8[]) WITH ORDINALITY AS n (weight, place)
  GROUP BY 1, 2, 3, 4
), spot AS MATERIALIZED (
  SELECT thread_id, number, sum(idf * frequency / (frequency + $7::float8))::float4 AS score
  FROM lent GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
), worded AS MATERIALIZED (
  SELECT t.id, t.thread_id, t.number
  FROM spot AS s
  CROSS JOIN LATERAL (
    SELECT id, thread_id, number FROM turns
    WHERE user_id = $1 AND thread_id = s.thread_id AND number = s.number ${filter} OFFSET 0
  ) AS t
  LIMIT $8::int
), near AS MATERIALIZED (${near}
), candidate AS MATERIALIZED (
  SELECT id, thread_id, number FROM worded UNION SELECT id, thread_id, number FROM near
), occurrence AS MATERIALIZED (
  SELECT c.id, l.place, l.frequency
  FROM candidate AS c
  FULL JOIN lent AS l ON l.thread_id = c.thread_id AND l.number = c.number
), counted AS MATERIALIZED (
  SELECT id, array_agg(place) AS places, array_agg(frequency::float4) AS frequencies
  FROM occurrence WHERE id IS NOT NULL GROUP BY id
), thread AS MATERIALIZED (
  SELECT thread_id, array_agg(DISTINCT place) AS places FROM own GROUP BY 1
), threaded AS MATERIALIZED (
  SELECT c.id, c.thread_id, c.number, h.places AS thread_places
  FROM candidate AS c FULL JOIN thread AS h ON h.thread_id = c.thread_id
), found AS MATERIALIZED (
  SELECT t.id, t.thread_id, t.number, t.thread_places, c.places, c.frequencies
  FROM threaded AS t FULL JOIN counted AS c ON c.id = t.id
), statistics AS MATERIALIZED (
  SELECT s.turns, s.mean_words, s.threads, s.time_zone, s.embedded, array_agg(d.place) AS places,
    array_agg(d.df) AS dfs, array_agg(d.thread_df) AS thread_dfs
  FROM size AS s LEFT JOIN (
    SELECT u.place, min(u.df) AS df, count(DISTINCT o.thread_id) AS thread_df
    FROM used AS u LEFT JOIN own AS o ON o.place = u.place GROUP BY u.place
  ) AS d ON true
  GROUP BY 1, 2, 3, 4, 5
)
SELECT t.id, t.thread_id, t.number, t.role, t.speaker, t.channel, t.text, t.occurred_at, t.recorded_at,
  t.unread_by_rules, t.is_cut, t.word_count, t.cues, f.places::text, f.frequencies::text, f.thread_places::text,
  a.offsets::text, a.words::text, a.similarities::text,
  s.turns, s.mean_words, s.threads::int, s.time_zone, s.embedded, s.places::text AS df_places, s.dfs::text, s.thread_dfs::text
FROM found AS f
CROSS JOIN statistics AS s
CROSS JOIN LATERAL (
  SELECT id, thread_id, number, role::text, speaker, channel, occurred_at, recorded_at, unread_by_rules, word_count, cues, is_cut,
    CASE WHEN is_cut THEN '' ELSE text END AS text
  FROM (SELECT *, octet_length(text) > ${WHOLE_BYTES} AS is_cut FROM turns WHERE user_id = $1 AND id = f.id OFFSET 0) AS own
) AS t
CROSS JOIN LATERAL (
  SELECT array_agg(m.number - f.number) AS offsets, array_agg(m.word_count) AS words,
    array_agg((
      SELECT -(embedding <#> ${QUERY})::float4 FROM turn_vectors
      WHERE user_id = $1 AND embedder = $4 AND turn_id = m.id
    )) AS similarities
  FROM turns AS m
  WHERE m.user_id = $1 AND m.thread_id = f.thread_id
    AND m.number BETWEEN f.number - $5::int AND f.number + $5::int
) AS a
WHERE f.id IS NOT NULL`;
}

/**
 * Finds four times as many turns by sign bits, which costs a tenth, then sorts those exactly. Of turns with equal sign bits
 * the newer come first.
 */
const NEAREST = `
  SELECT t.id, t.thread_id, t.number
  FROM (
    SELECT b.turn_id FROM (
      SELECT turn_id FROM turn_vectors
      WHERE user_id = $1 AND embedder = $4 AND $3::vector IS NOT NULL
      ORDER BY signs <~> (SELECT binary_quantize($3::vector::halfvec)), turn_id DESC LIMIT 4 * $8::int
    ) AS b
    CROSS JOIN LATERAL (
      SELECT embedding FROM turn_vectors
      WHERE user_id = $1 AND embedder = $4 AND turn_id = b.turn_id OFFSET 0
    ) AS e
    ORDER BY e.embedding <#> ${QUERY}, b.turn_id LIMIT $8::int
  ) AS v
  CROSS JOIN LATERAL (
    SELECT id, thread_id, number FROM turns WHERE user_id = $1 AND id = v.turn_id OFFSET 0
  ) AS t`;

/** Uses the nearest turns given in $11. */
export const NEAREST_GIVEN = `
  SELECT t.id, t.thread_id, t.number FROM unnest($11::int[]) AS v (turn_id)
  CROSS JOIN LATERAL (
    SELECT id, thread_id, number FROM turns WHERE user_id = $1 AND id = v.turn_id OFFSET 0
  ) AS t`;

const nearestOf = (filter: string): string => (filter === '' ? NEAREST : nearestAmong(filter));

function nearestAmong(filter: string): string {
  return `
  SELECT id, thread_id, number
  FROM (
    SELECT t.id, t.thread_id, t.number, v.embedding
    FROM (
      SELECT turn_id, embedding FROM turn_vectors
      WHERE user_id = $1 AND embedder = $4 AND $3::vector IS NOT NULL
      ORDER BY signs <~> (SELECT binary_quantize($3::vector::halfvec)), turn_id DESC
    ) AS v
    CROSS JOIN LATERAL (
      SELECT id, thread_id, number FROM turns
      WHERE user_id = $1 AND id = v.turn_id ${filter} OFFSET 0
    ) AS t
    LIMIT 4 * $8::int
  ) AS b
  ORDER BY embedding <#> ${QUERY}, id LIMIT $8::int`;
}
