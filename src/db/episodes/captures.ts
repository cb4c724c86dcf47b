import { NEWEST_COMPARED } from '../../domain/episodes/capture.ts';
import type { CaptureSettings } from '../../domain/episodes/capture-settings.ts';
import type { Theme } from '../../domain/episodes/theme.ts';
import { STEPS } from '../../pipeline.ts';
import type { Statement, Tx } from '../core/database.ts';
import { readVector, sentVector } from '../core/vectors.ts';
import type { SegmentDescription } from '../threads/segments.ts';

/** A closed segment that is not captured yet. */
export type PendingSegment = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  /** The user's own settings of capture. */
  settings: CaptureSettings | null;
  id: number;
  threadId: number;
  firstTurn: number;
  lastTurn: number;
  startedAt: Date;
  endedAt: Date;
  /** Null if it lost turns since it was cut. */
  surprise: number | null;
  /** Its title, if it was described before a late turn was added to it. */
  title: string | null;
  /** Its thread was imported. */
  isImported: boolean;
  /** The description made when it was cut. */
  description: SegmentDescription | null;
  /** It was an episode, or part of one, before a late turn was added to it. */
  wasTaken: boolean;
  mergedIntoId: number | null;
  /** Another thread has earlier turns that are about to be segmented. */
  isBlocked: boolean;
  /** No other segment is waiting for capture. */
  isLast: boolean;
  /** No other segment of its thread is waiting. */
  isLastOfThread: boolean;
};

const PENDING: Statement = {
  name: 'captures-pending',
  text: `
WITH next AS MATERIALIZED (
  SELECT * FROM episodes WHERE user_id = $1 AND capture = 'PENDING' ORDER BY ended_at, thread_id, ordinal LIMIT $3
)
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", u.capture_settings AS settings, e.id,
  e.thread_id AS "threadId", e.first_turn AS "firstTurn", e.last_turn AS "lastTurn", e.started_at AS "startedAt",
  e.ended_at AS "endedAt", e.surprise, e.title, e.merged_into_id AS "mergedIntoId",
  own.imported AS "isImported", e.description,
  e.stability IS NOT NULL OR e.merged_into_id IS NOT NULL AS "wasTaken",
  EXISTS (
    SELECT FROM jobs j CROSS JOIN LATERAL (
      SELECT segmented_through FROM threads
      WHERE user_id = $1 AND id = j.subject AND started_at < e.ended_at OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT occurred_at FROM turns
      WHERE user_id = $1 AND thread_id = j.subject AND number = t.segmented_through + 1 OFFSET 0) AS first
    WHERE j.user_id = $1 AND j.step = '${STEPS.segmentThread}' AND j.subject <> e.thread_id AND j.dead_at IS NULL
      AND j.parked_at IS NULL AND j.run_at <= $2::timestamptz + interval '5 seconds'
      AND first.occurred_at < e.ended_at) AS "isBlocked",
  NOT EXISTS (SELECT FROM episodes o WHERE o.user_id = $1 AND o.capture = 'PENDING' AND o.id <> e.id) AS "isLast",
  NOT EXISTS (SELECT FROM episodes o WHERE o.user_id = $1 AND o.capture = 'PENDING' AND o.id <> e.id
    AND o.thread_id = e.thread_id) AS "isLastOfThread"
FROM next e JOIN users u ON u.user_id = $1
CROSS JOIN LATERAL (SELECT imported FROM threads WHERE user_id = $1 AND id = e.thread_id OFFSET 0) AS own
ORDER BY e.ended_at, e.thread_id, e.ordinal`,
};

/**
 * The earliest segments of a user that are not captured yet, in order. Of other threads, only those that had begun before the end
 * of a segment are looked at: no turn is earlier than its thread's beginning.
 */
export const pending = (tx: Tx, now: Date, most: number): Promise<PendingSegment[]> =>
  tx.query(PENDING, [tx.userId, now, most]);

/** What was captured before a segment, and how close to it. */
export type CaptureContext = {
  /** When the newest captured segment ended, and the user's turns from then to the segment's end; null if there is none. */
  last: { endedAt: Date; turnsSince: number } | null;
  createdToday: number;
  /** When the turn before the segment was said, in its thread; null if the segment opens the thread. */
  saidBefore: Date | null;
  /** The newest episodes, each with the themes of all its parts, its own first. */
  recent: { id: number; endedAt: Date; themes: Theme[] }[];
};

/** Turns are counted up to this number: no cooldown is longer. */
const MOST_TURNS = 1_000;

const CONTEXT: Statement = {
  name: 'captures-context',
  text: `
WITH recent AS MATERIALIZED (
  SELECT id, thread_id, ordinal, ended_at FROM episodes
  WHERE user_id = $1 AND capture = 'CREATED' AND ended_at <= $3 AND id <> $2
  ORDER BY ended_at DESC, thread_id DESC, ordinal DESC LIMIT ${NEWEST_COMPARED}
), parts AS (
  SELECT r.id AS episode_id, e.id, e.ordinal, json_build_object('terms', e.theme_terms,
    'described', ${sentVector('v.embedding')}, 'said', ${sentVector('v.said')}) AS part
  FROM recent r JOIN episodes e ON e.user_id = $1 AND (e.id = r.id OR e.merged_into_id = r.id)
  LEFT JOIN LATERAL (
    SELECT embedding, said FROM episode_vectors WHERE user_id = $1 AND episode_id = e.id AND embedder = $4 OFFSET 0
  ) AS v ON true
), taken AS (
  SELECT max(ended_at) AS ended_at FROM episodes
  WHERE user_id = $1 AND capture IN ('CREATED', 'MERGED') AND ended_at <= $3 AND id <> $2
)
SELECT (
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'endedAt', r.ended_at,
    'parts', (SELECT json_agg(p.part ORDER BY p.id <> r.id, p.id) FROM parts p WHERE p.episode_id = r.id))
    ORDER BY r.ended_at DESC, r.thread_id DESC, r.ordinal DESC), '[]')
  FROM recent r
) AS recent, (
  SELECT json_build_object('endedAt', taken.ended_at, 'turnsSince', (SELECT count(*) FROM (
    SELECT FROM turns t WHERE t.user_id = $1 AND t.occurred_at > taken.ended_at AND t.occurred_at <= $3
    LIMIT ${MOST_TURNS}) since))
  FROM taken WHERE taken.ended_at IS NOT NULL
) AS last, (
  SELECT count(*)::int FROM episodes WHERE user_id = $1 AND capture = 'CREATED' AND date = $5 AND id <> $2
    AND ended_at BETWEEN $3::timestamptz - interval '2 days' AND $3::timestamptz + interval '2 days'
) AS "createdToday", (
  SELECT occurred_at FROM turns WHERE user_id = $1 AND thread_id = $6 AND number = $7 - 1
) AS "saidBefore"`,
};

type PartRow = { terms: string[]; described: string | null; said: string | null };
type ContextRow = Omit<CaptureContext, 'recent'> & {
  recent: { id: number; endedAt: string; parts: PartRow[] }[];
};

/** Reads what the capture of a segment depends on. @param date the segment's day in the user's time zone */
export async function context(
  tx: Tx,
  {
    id,
    threadId,
    firstTurn,
    endedAt,
  }: Pick<PendingSegment, 'id' | 'threadId' | 'firstTurn' | 'endedAt'>,
  embedder: string,
  date: string,
): Promise<CaptureContext> {
  const values = [tx.userId, id, endedAt, embedder, date, threadId, firstTurn];
  const [row] = await tx.query<ContextRow>(CONTEXT, values);
  const { recent, last, createdToday, saidBefore } = row as ContextRow;
  return {
    createdToday,
    saidBefore,
    last: last && { ...last, endedAt: new Date(last.endedAt) },
    recent: recent.map((episode) => ({
      id: episode.id,
      endedAt: new Date(episode.endedAt),
      themes: episode.parts.map(({ terms, described, said }) => ({
        terms: new Set(terms),
        described: readVector(described),
        said: readVector(said),
      })),
    })),
  };
}

const PARTS: Statement = {
  name: 'captures-parts',
  text: `
SELECT id, title, micro AS summary, ended_at AS "endedAt" FROM episodes
WHERE user_id = $1 AND (id = $2 OR merged_into_id = $2) AND micro IS NOT NULL`,
};

/** An episode, or a segment merged into one, with its own summary. */
export type EpisodePart = { id: number; title: string | null; summary: string; endedAt: Date };

/** An episode and the segments merged into it. */
export const parts = (tx: Tx, episodeId: number): Promise<EpisodePart[]> =>
  tx.query(PARTS, [tx.userId, episodeId]);
