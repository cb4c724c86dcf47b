import type { Statement, Tx } from '../core/database.ts';
import { isUnderWay, type ThreadToLink } from './threads-to-link.ts';

/** An earlier thread that may belong together with another, and how similar they are. */
export type LinkCandidate = {
  threadId: number;
  /** BM25 of the thread for the terms, divided by the highest possible value: 0-1. */
  bm25: number;
  /** The cosine between the opening and the most similar turn; 0 if no turn is among the nearest. */
  cosine: number;
  /** When its last turn was said. */
  lastActivityAt: Date;
};

/** How many postings are read, those of rare terms first. */
const POSTINGS = 800;
const K1 = 1.2;
/** How many recent threads are considered. */
const MOST_RECENT = 100;

/**
 * For the form of this statement see search-sql.ts. Unlike there, common terms are not left out, because whole threads are
 * compared; only the number of postings is limited. All are counted first, which mostly takes the index alone, since
 * a thread has many common terms whose postings are not read.
 */
const FIND: Statement = {
  name: 'link-candidates-find',
  text: `
WITH own AS MATERIALIZED (
  SELECT sum(v.embedding) AS said, binary_quantize(sum(v.embedding)) AS signs
  FROM turns t CROSS JOIN LATERAL (
    SELECT embedding FROM turn_vectors WHERE user_id = $1 AND turn_id = t.id AND embedder = $4 OFFSET 0) AS v
  WHERE t.user_id = $1 AND t.thread_id = $2 AND t.number <= $8::int AND t.role NOT IN ('TOOL', 'SYSTEM')
), term AS MATERIALIZED (
  SELECT q.term, p.df, sum(p.df) OVER (ORDER BY p.df, q.term) - p.df AS rarer
  FROM unnest($3::text[]) AS q (term)
  CROSS JOIN LATERAL (SELECT count(*)::int AS df FROM postings WHERE user_id = $1 AND term = q.term) AS p
  WHERE p.df > 0
), used AS MATERIALIZED (
  SELECT term, idf(u.turn_count, df) AS idf
  FROM term JOIN users u ON u.user_id = $1 WHERE rarer < ${POSTINGS}
), occurrence AS MATERIALIZED (
  SELECT w.term, w.idf, t.thread_id, sum(p.frequency) AS frequency
  FROM used w CROSS JOIN LATERAL (
    SELECT turn_id, frequency FROM postings WHERE user_id = $1 AND term = w.term OFFSET 0) AS p
  CROSS JOIN LATERAL (SELECT thread_id FROM turns WHERE user_id = $1 AND id = p.turn_id OFFSET 0) AS t
  GROUP BY 1, 2, 3
), worded AS MATERIALIZED (
  SELECT thread_id, sum(idf * frequency / (frequency + ${K1})) / (SELECT sum(idf) FROM used) AS bm25
  FROM occurrence WHERE thread_id <> $2 GROUP BY 1
), near AS MATERIALIZED (
  SELECT t.thread_id, max(n.cosine) AS cosine
  FROM (
    SELECT turn_id, -(embedding <#> (SELECT l2_normalize(said) FROM own)) AS cosine FROM (
      SELECT turn_id, embedding FROM turn_vectors
      WHERE user_id = $1 AND embedder = $4 AND (SELECT said FROM own) IS NOT NULL
      ORDER BY signs <~> (SELECT signs FROM own) LIMIT 4 * $7::int
    ) AS b
  ) AS n
  CROSS JOIN LATERAL (SELECT thread_id FROM turns WHERE user_id = $1 AND id = n.turn_id OFFSET 0) AS t
  WHERE t.thread_id <> $2 GROUP BY 1
), candidate AS MATERIALIZED (
  (SELECT thread_id FROM worded ORDER BY bm25 DESC LIMIT $7)
  UNION (SELECT thread_id FROM near ORDER BY cosine DESC LIMIT $7)
  UNION (
    SELECT id FROM threads
    WHERE user_id = $1 AND last_activity_at >= $5::timestamptz - make_interval(secs => 3600 * $6::float8)
      AND started_at <= $5 AND turn_count > 0 ORDER BY last_activity_at DESC LIMIT ${MOST_RECENT})
)
SELECT
  (SELECT last_thread FROM users WHERE user_id = $1) AS threads,
  (SELECT coalesce(json_object_agg(t.term, CASE WHEN t.rarer < ${POSTINGS} THEN (
    SELECT count(*) FROM occurrence o WHERE o.term = t.term) ELSE t.df END), '{}') FROM term t) AS "threadsWith",
  (SELECT coalesce(json_agg(json_build_object('threadId', t.id, 'bm25', coalesce(w.bm25, 0),
      'cosine', coalesce(n.cosine, 0), 'lastActivityAt', least(t.last_activity_at, $5))), '[]')
    FROM candidate c CROSS JOIN LATERAL (
      SELECT id, started_at, last_activity_at FROM threads WHERE user_id = $1 AND id = c.thread_id OFFSET 0) AS t
    LEFT JOIN worded w ON w.thread_id = c.thread_id LEFT JOIN near n ON n.thread_id = c.thread_id
    WHERE t.id <> $2 AND (t.started_at, t.id) < ($5, $2)) AS candidates`,
};

export type FoundCandidates = {
  candidates: LinkCandidate[];
  /** How many threads the user has, and in how many of them each term occurs. */
  threads: number;
  threadsWith: ReadonlyMap<string, number>;
};

type FoundRow = {
  threads: number;
  threadsWith: Record<string, number>;
  candidates: (Omit<LinkCandidate, 'lastActivityAt'> & { lastActivityAt: string })[];
};

/**
 * Finds earlier threads that a thread may belong together with: those most similar by words and by vectors, of any age, and
 * all recent ones. One round trip.
 */
export async function find(
  tx: Tx,
  thread: Pick<ThreadToLink, 'id' | 'startedAt'>,
  by: {
    terms: readonly string[];
    embedder: string;
    recentHours: number;
    nearest: number;
    opening: number;
  },
): Promise<FoundCandidates> {
  const [row] = await tx.query<FoundRow>(FIND, [
    tx.userId,
    thread.id,
    by.terms,
    by.embedder,
    thread.startedAt,
    by.recentHours,
    by.nearest,
    by.opening,
  ]);
  const { threads, threadsWith, candidates } = row as FoundRow;
  return {
    threads,
    threadsWith: new Map(Object.entries(threadsWith)),
    candidates: candidates.map((candidate) => ({
      ...candidate,
      lastActivityAt: new Date(candidate.lastActivityAt),
    })),
  };
}

/** The summary of an earlier thread, and whether it covers all turns or one that does is being made. */
export type CandidateSummary = {
  threadId: number;
  summary: string | null;
  isComplete: boolean;
  isOpen: boolean;
  isAsked: boolean;
  isUnderWay: boolean;
};

const SUMMARIES: Statement = {
  name: 'link-candidates-summaries',
  text: `
SELECT t.id AS "threadId", e.micro AS summary, t.compacted_through >= t.turn_count AS "isComplete",
  t.state = 'OPEN' AS "isOpen", t.compaction_asked >= t.turn_count AS "isAsked",
  ${isUnderWay('t.id', '$3')} AS "isUnderWay"
FROM unnest($2::int[]) AS s(thread_id) JOIN threads t ON t.user_id = $1 AND t.id = s.thread_id
LEFT JOIN episodes e ON e.user_id = $1 AND e.thread_id = t.id AND e.kind = 'PRIMARY'`,
};

/** The summaries of threads. @param soon jobs that are due by then count as under way, as do parked ones */
export const summaries = (
  tx: Tx,
  threadIds: readonly number[],
  soon: Date,
): Promise<CandidateSummary[]> => tx.query(SUMMARIES, [tx.userId, threadIds, soon]);
