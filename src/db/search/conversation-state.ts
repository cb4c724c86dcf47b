import { ASKED_TURNS } from '../../domain/threads/window.ts';
import { EXCERPT_OF } from '../../domain/turns/turn.ts';
import type { Statement, Tx } from '../core/database.ts';
import { isOutdated, type Json } from '../knowledge/profiles.ts';

/** A question of the user and the answer to it, if there is one. */
export type Exchange = {
  questionId: number;
  question: string;
  answerId: number | null;
  answer: string | null;
};

/** An earlier thread. */
export type RelatedThreadRow = {
  id: number;
  title: string | null;
  topic: string | null;
  summary: string | null;
  startedAt: Date;
  lastActivityAt: Date;
  turnCount: number;
  /** Whether it is in a cross-thread episode with the current thread or with the one before it. */
  linked: boolean;
  /** Its last questions, the earliest first. */
  exchanges: Exchange[];
};

/** What is known of the threads before a message. */
export type ConversationState = {
  timeZone: string | null;
  /** Whether the channel is implicit, so that other threads are considered too. */
  isImplicit: boolean;
  /** The thread that the message continues; null if it opens a new one. */
  thread: {
    id: number;
    explicit: boolean;
    /** The turns up to the message. */
    turnCount: number;
    segmentedThrough: number;
    startedAt: Date;
  } | null;
  /** Earlier threads: those linked to it, and recent implicit ones; the latest first. */
  related: RelatedThreadRow[];
  /** The summary of the linked threads together. */
  shared: string | null;
  profile: { version: number; prose: string } | null;
};

const MOST_THREADS = 3;
const MOST_EXCHANGES = 3;

/**
 * Ignores everything said after $4, and profiles that could contain anything said later. Whether a thread goes on depends on the
 * time of the message ($10). Of long texts only the beginnings are read, which is what is shown.
 */
const READ: Statement = {
  name: 'conversation-state-read',
  text: `
WITH current AS MATERIALIZED (
  SELECT * FROM (
    SELECT * FROM threads WHERE user_id = $1
      AND CASE WHEN $2::int IS NOT NULL THEN id = $2 ELSE $3::boolean AND NOT explicit AND started_at <= $4 END
    ORDER BY last_activity_at DESC, id DESC LIMIT 1) AS latest
  WHERE $2::int IS NOT NULL OR (state <> 'CLOSED' OR last_activity_at > $4) AND $10 <= last_activity_at + make_interval(
    mins => coalesce(inactivity_timeout_minutes, (SELECT inactivity_timeout_minutes FROM users WHERE user_id = $1), $9::int))
), mode AS MATERIALIZED (
  SELECT coalesce($3, (SELECT NOT explicit FROM current)) AS implicit
), previous AS MATERIALIZED (
  SELECT * FROM threads WHERE user_id = $1 AND (SELECT implicit FROM mode) AND NOT explicit AND turn_count > 0
    AND last_activity_at > $5 AND last_activity_at <= $4 AND id NOT IN (SELECT id FROM current)
    AND NOT EXISTS (SELECT FROM current WHERE turn_count > $6 OR last_activity_at < threads.last_activity_at)
  ORDER BY array_position($8::int[], id), last_activity_at DESC LIMIT 1
), shared AS MATERIALIZED (
  SELECT cross_thread_episode_id AS id FROM current WHERE (SELECT implicit FROM mode) AND cross_thread_episode_id IS NOT NULL
  UNION SELECT cross_thread_episode_id FROM previous WHERE cross_thread_episode_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM current WHERE cross_thread_episode_id IS NOT NULL)
), related AS MATERIALIZED (
  SELECT t.*, t.cross_thread_episode_id IS NOT NULL AND t.cross_thread_episode_id IN (SELECT id FROM shared) AS linked
  FROM threads t
  WHERE t.user_id = $1 AND t.id NOT IN (SELECT id FROM current) AND t.last_activity_at <= $4
    AND (t.cross_thread_episode_id IN (SELECT id FROM shared) OR t.id IN (SELECT id FROM previous))
  ORDER BY t.last_activity_at DESC LIMIT ${MOST_THREADS}
)
SELECT u.time_zone AS "timeZone", (SELECT implicit FROM mode) AS "isImplicit", (
  SELECT json_build_object('id', id, 'explicit', explicit, 'turnCount', said.count,
    'segmentedThrough', least(segmented_through, said.count), 'startedAt', started_at)
  FROM current, LATERAL (SELECT CASE WHEN last_activity_at <= $4 THEN turn_count ELSE (
    SELECT count(*)::int FROM turns t WHERE t.user_id = $1 AND t.thread_id = current.id AND t.occurred_at <= $4
  ) END AS count) AS said
) AS thread, (
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'title', r.title, 'topic', p.topic, 'summary', p.summary,
    'startedAt', r.started_at, 'lastActivityAt', r.last_activity_at, 'turnCount', r.turn_count, 'linked', r.linked,
    'exchanges', (
      SELECT coalesce(json_agg(json_build_object('questionId', q.id, 'question', left(q.text, ${EXCERPT_OF}), 'answerId', a.id,
        'answer', left(a.text, ${EXCERPT_OF})) ORDER BY q.number), '[]')
      FROM (
        SELECT * FROM turns WHERE user_id = $1 AND thread_id = r.id AND role = 'USER'
          AND number > r.turn_count - ${ASKED_TURNS} AND left(text, ${EXCERPT_OF}) LIKE '%?%'
        ORDER BY number DESC LIMIT ${MOST_EXCHANGES}) q
      LEFT JOIN LATERAL (
        SELECT id, text FROM turns WHERE user_id = $1 AND thread_id = r.id AND number > q.number
          AND number <= q.number + 2 AND role IN ('ASSISTANT', 'OTHER') ORDER BY number LIMIT 1) a ON true
    )) ORDER BY r.last_activity_at DESC), '[]')
  FROM related r LEFT JOIN episodes p ON p.user_id = $1 AND p.thread_id = r.id AND p.ordinal = 0
    AND p.ended_at <= $4
) AS related, (
  SELECT string_agg(summary, ' ' ORDER BY id) FROM episodes WHERE user_id = $1 AND id IN (SELECT id FROM shared)
    AND ended_at <= $4
) AS shared, (
  SELECT json_build_object('version', version, 'prose', prose) FROM (
    SELECT * FROM profiles p
    WHERE user_id = $1 AND recorded_at <= $7 AND ($4 >= $7::timestamptz OR NOT EXISTS (
      SELECT FROM turns t WHERE t.user_id = $1 AND t.occurred_at > $4 AND t.recorded_at <= p.recorded_at))
    ORDER BY version DESC LIMIT 1) AS p
  WHERE NOT ${isOutdated('p', '$4')}
) AS profile
FROM users u WHERE u.user_id = $1`,
};

type Row = Omit<ConversationState, 'thread' | 'related'> & {
  thread: Json<NonNullable<ConversationState['thread']>> | null;
  related: Json<RelatedThreadRow>[];
};

/** The message whose conversation state is read. */
export type ConversationStateOf = {
  /** The thread that the caller named; null: the channel decides. */
  threadId: number | null;
  /** Whether the channel is implicit; null: the named thread decides. */
  isImplicit: boolean | null;
  /** The timeout of the channel, in minutes, where neither a thread nor the user has one. */
  timeoutMinutes: number;
  asOf: Date;
  /** What was said later is ignored. */
  until: Date;
  /** A thread that was active after this is recent. */
  recentFrom: Date;
  /** The threads most similar to the message, the most similar first. They are preferred to the latest one. */
  alike: readonly number[];
  /** For a thread with more turns, only linked threads are considered. */
  newThreadTurns: number;
  now: Date;
};

/** Reads the conversation state of a message; null for an unknown user. */
export async function read(tx: Tx, of: ConversationStateOf): Promise<ConversationState | null> {
  const { threadId, isImplicit, timeoutMinutes, asOf, until, recentFrom, alike, now } = of;
  const values = [
    ...[tx.userId, threadId, isImplicit, until, recentFrom, of.newThreadTurns, now, alike],
    ...[timeoutMinutes, asOf],
  ];
  const [row] = await tx.query<Row>(READ, values);
  if (!row) return null;
  const { thread, related } = row;
  return {
    ...row,
    thread: thread && { ...thread, startedAt: new Date(thread.startedAt) },
    related: related.map((one) => ({
      ...one,
      startedAt: new Date(one.startedAt),
      lastActivityAt: new Date(one.lastActivityAt),
    })),
  };
}

const THREADS_WITH: Statement = {
  name: 'conversation-state-threads-with',
  text: `
WITH thread AS MATERIALIZED (
  SELECT id, last_activity_at FROM threads
  WHERE user_id = $1 AND NOT explicit AND last_activity_at >= $3 AND last_activity_at <= $4
)
SELECT thread.id, count(DISTINCT p.term)::int AS terms FROM postings p
CROSS JOIN LATERAL (SELECT thread_id FROM turns WHERE user_id = $1 AND id = p.turn_id OFFSET 0) AS t
JOIN thread ON thread.id = t.thread_id
WHERE p.user_id = $1 AND p.term = ANY($2)
GROUP BY thread.id, thread.last_activity_at ORDER BY thread.last_activity_at DESC, thread.id DESC`,
};

/** The implicit threads of a period that contain any of these terms, with the number of terms, the latest first. */
export const threadsWith = (
  tx: Tx,
  terms: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<{ id: number; terms: number }[]> => tx.query(THREADS_WITH, [tx.userId, terms, from, to]);
