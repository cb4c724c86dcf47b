import { STEPS } from '../../pipeline.ts';
import type { Statement, Tx } from '../core/database.ts';
import { readVector, sentVector } from '../core/vectors.ts';
import { beginningOf, type ReadTurn } from '../turns/turns.ts';

/** A thread whose first turns are to be compared with earlier threads. */
export type ThreadToLink = {
  /** The erase epoch under which this was read. */
  epoch: number;
  /** The user's (IANA); null if unknown. */
  timeZone: string | null;
  id: number;
  startedAt: Date;
  /** It is open, so it may still get more first turns. */
  isOpen: boolean;
  /** How many of its first turns were compared already. */
  linkedTurns: number;
  /** How many first turns it has now. */
  turns: number;
  /** It is linked with an earlier thread. */
  isLinked: boolean;
  /** It is part of a cross-thread episode. */
  isGrouped: boolean;
};

/** How many threads that may be due are examined. */
const EARLIEST = 200;

const NEXT: Statement = {
  name: 'link-candidates-next',
  text: `
WITH indexed AS MATERIALIZED (
  SELECT min(coalesce(p.through, 0)) AS through FROM unnest($2::text[]) AS i(name)
  LEFT JOIN index_progress p ON p.user_id = $1 AND p.index_name = i.name
)
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", t.id, t.started_at AS "startedAt", t.state = 'OPEN' AS "isOpen",
  t.linked_turns AS "linkedTurns", o.turns,
  EXISTS (SELECT FROM links l WHERE l.user_id = $1 AND l.thread_id = t.id AND l.verdict = 'LINK') AS "isLinked",
  t.cross_thread_episode_id IS NOT NULL AS "isGrouped"
FROM users u CROSS JOIN LATERAL (
  SELECT id, started_at, state, linked_turns, cross_thread_episode_id FROM threads
  WHERE user_id = $1 AND linked_turns < $4::int AND turn_count > 0 AND (state <> 'OPEN' OR turn_count > linked_turns)
  ORDER BY started_at, id LIMIT ${EARLIEST}) AS t
CROSS JOIN indexed
CROSS JOIN LATERAL (
  SELECT count(*)::int AS turns, max(id) AS last FROM turns
  WHERE user_id = $1 AND thread_id = t.id AND number <= CASE WHEN t.state = 'OPEN' THEN $3 ELSE $4 END
) AS o
WHERE u.user_id = $1 AND o.last <= indexed.through AND (t.state <> 'OPEN' OR o.turns > t.linked_turns AND (
  o.turns = $3 OR NOT EXISTS (SELECT FROM links l WHERE l.user_id = $1 AND l.thread_id = t.id)))
ORDER BY t.started_at, t.id LIMIT 1`,
};

/**
 * The earliest thread that is due to be compared. A thread is due when it has turns, again when it has `opening` of them,
 * and again when it is over; then up to `whole` turns are compared.
 * @param indexes the names of the indexes that must contain its turns
 */
export async function next(
  tx: Tx,
  indexes: readonly string[],
  { opening, whole }: { opening: number; whole: number },
): Promise<ThreadToLink | null> {
  return (await tx.query<ThreadToLink>(NEXT, [tx.userId, indexes, opening, whole]))[0] ?? null;
}

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
 * compared; only the number of postings is limited.
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
  SELECT q.term, p.df, p.turn_ids, p.frequencies, sum(p.df) OVER (ORDER BY p.df, q.term) - p.df AS rarer
  FROM unnest($3::text[]) AS q (term)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS df, array_agg(turn_id) AS turn_ids, array_agg(frequency) AS frequencies
    FROM postings WHERE user_id = $1 AND term = q.term
  ) AS p
  WHERE p.df > 0
), used AS MATERIALIZED (
  SELECT term, turn_ids, frequencies, idf(u.turn_count, df) AS idf
  FROM term JOIN users u ON u.user_id = $1 WHERE rarer < ${POSTINGS}
), occurrence AS MATERIALIZED (
  SELECT w.term, w.idf, t.thread_id, sum(p.frequency) AS frequency
  FROM used w CROSS JOIN LATERAL unnest(w.turn_ids, w.frequencies) AS p (turn_id, frequency)
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

/** A turn with the fields by which threads are compared; `vector` is null if it has none. */
export type ComparedTurn = Pick<
  ReadTurn,
  | 'id'
  | 'threadId'
  | 'number'
  | 'role'
  | 'speaker'
  | 'text'
  | 'occurredAt'
  | 'toolCalls'
  | 'isUnreadable'
> & { vector: Float32Array | null };

/** Adding an empty interval to a time keeps the planner from scanning all turns in their order. */
const TURNS: Statement = {
  name: 'link-candidates-turns',
  text: `
WITH chosen AS MATERIALIZED (
  SELECT id, thread_id, number, role, speaker, text, occurred_at, tool_calls::text, unread_by_rules FROM turns
  WHERE user_id = $1 AND thread_id = $2 AND number BETWEEN $6::int AND $7::int
  UNION ALL
  SELECT last.* FROM unnest($3::int[]) AS s(thread_id) CROSS JOIN LATERAL (
    SELECT id, thread_id, number, role, speaker, text, occurred_at, tool_calls::text, unread_by_rules FROM turns
    WHERE user_id = $1 AND thread_id = s.thread_id AND occurred_at + interval '0' <= $4
    ORDER BY number DESC LIMIT $8::int) AS last
)
SELECT t.id, t.thread_id AS "threadId", t.unread_by_rules AS "isUnreadable", t.number, t.role, t.speaker, ${beginningOf('$9')} AS
text, t.occurred_at AS "occurredAt",
  t.tool_calls AS "toolCalls", (
  SELECT ${sentVector('embedding')} FROM turn_vectors
    WHERE user_id = $1 AND turn_id = t.id AND embedder = $5) AS vector
FROM chosen t ORDER BY t.thread_id, t.number`,
};

type ComparedRow = Omit<ComparedTurn, 'toolCalls' | 'vector'> & {
  toolCalls: string | null;
  vector: string | null;
};

/**
 * The turns `from`-`to` of a thread, and the last turns of other threads up to a time, each with its vector.
 * @param each the most characters that are read of each text
 */
export async function turns(
  tx: Tx,
  own: { threadId: number; from: number; to: number },
  others: { threadIds: readonly number[]; until: Date; last: number },
  { embedder, each }: { embedder: string; each: number },
): Promise<ComparedTurn[]> {
  const rows = await tx.query<ComparedRow>(TURNS, [
    tx.userId,
    own.threadId,
    others.threadIds,
    others.until,
    embedder,
    own.from,
    own.to,
    others.last,
    each,
  ]);
  return rows.map((row) => ({
    ...row,
    toolCalls: row.toolCalls === null ? null : JSON.parse(row.toolCalls),
    vector: readVector(row.vector),
  }));
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
  EXISTS (SELECT FROM jobs j WHERE j.user_id = $1 AND j.dead_at IS NULL AND (
    j.step IN ('${STEPS.segmentThread}', '${STEPS.compactThread}') AND j.subject = t.id AND (j.run_at <= $3 OR j.parked_at IS NOT NULL)
    OR j.step = '${STEPS.captureSegments}' AND EXISTS (
      SELECT FROM episodes s WHERE s.user_id = $1 AND s.thread_id = t.id AND s.capture = 'PENDING'))) AS "isUnderWay"
FROM unnest($2::int[]) AS s(thread_id) JOIN threads t ON t.user_id = $1 AND t.id = s.thread_id
LEFT JOIN episodes e ON e.user_id = $1 AND e.thread_id = t.id AND e.kind = 'PRIMARY'`,
};

/** The summaries of threads. @param soon jobs that are due by then count as under way, as do parked ones */
export const summaries = (
  tx: Tx,
  threadIds: readonly number[],
  soon: Date,
): Promise<CandidateSummary[]> => tx.query(SUMMARIES, [tx.userId, threadIds, soon]);
