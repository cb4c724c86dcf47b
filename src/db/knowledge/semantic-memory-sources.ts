import type { Unsummarised } from '../../domain/episodes/consolidation.ts';
import type { Statement, Tx } from '../core/database.ts';
import { endsSession, sessionEnd } from '../threads/session-end.ts';
import { factOf, factSaidJson, holdsAt, type Json, type ProfileFact } from './profiles.ts';

/** What of a user's semantic memories is still to be written. */
export type ConsolidationState = {
  /** The erase epoch under which this was read. */
  epoch: number;
  unsummarised: Unsummarised;
  /** The first stale memory that is to be written again. */
  staleId: number | null;
};

/**
 * A stale memory without a summary is due as soon as all its episodes are captured again. One with a summary is due at the
 * end of the session that made it stale, or at once if requested ($2).
 */
const STATE: Statement = {
  name: 'semantic-memories-state',
  text: `
WITH ${sessionEnd('$3::timestamptz')}, waiting AS MATERIALIZED (
  SELECT ended_at, lead(ended_at) OVER in_order AS next_at, row_number() OVER in_order AS place FROM episodes
  WHERE user_id = $1 AND capture = 'CREATED' AND summarized_into_id IS NULL AND summary IS NOT NULL
  WINDOW in_order AS (ORDER BY ended_at, thread_id, ordinal)
)
SELECT u.erase_epoch AS epoch, (
  SELECT json_build_object('count', (SELECT count(*) FROM waiting), 'first', coalesce(json_agg(json_build_object(
    'isSettled', ended_at < (SELECT at FROM pending),
    'endsSession', ${endsSession('ended_at', 'next_at', '$3::timestamptz')}) ORDER BY place), '[]'))
  FROM waiting WHERE place <= $4
) AS unsummarised, (
  SELECT min(m.id) FROM semantic_memories m WHERE m.user_id = $1 AND m.stale_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM episodes e
      WHERE e.user_id = $1 AND e.summarized_into_id = m.id AND e.capture = 'PENDING' OFFSET 0)
    AND (m.summary IS NULL OR $2::boolean OR NOT EXISTS (
      SELECT FROM episodes e LEFT JOIN episodes part ON part.user_id = $1 AND part.merged_into_id = e.id
      WHERE e.user_id = $1 AND e.summarized_into_id = m.id
        AND greatest(e.ended_at, part.ended_at) > coalesce((SELECT at FROM session_end), '-infinity')))
) AS "staleId"
FROM users u WHERE u.user_id = $1`,
};

/**
 * Reads what is still to be written; null for an unknown user.
 * @param isAsked whether all stale memories are due now
 * @param first the most episodes that are described in `unsummarised.first`
 */
export async function state(
  tx: Tx,
  { isAsked, first, now }: { isAsked: boolean; first: number; now: Date },
): Promise<ConsolidationState | null> {
  return (await tx.query<ConsolidationState>(STATE, [tx.userId, isAsked, now, first]))[0] ?? null;
}

/** An episode that a semantic memory summarises. */
export type Source = {
  id: number;
  title: string;
  summary: string;
  /** Its own summary and those of the segments merged into it, each with its time. */
  parts: { summary: string; endedAt: Date }[];
};

const SOURCES: Statement = {
  name: 'semantic-memories-sources',
  text: `
SELECT e.id, coalesce(e.title, '') AS title, e.summary, (
  SELECT json_agg(json_build_object('summary', coalesce(part.micro, part.summary), 'endedAt', part.ended_at)
    ORDER BY part.ended_at, part.id)
  FROM episodes part WHERE part.user_id = $1 AND (part.id = e.id OR part.merged_into_id = e.id)
    AND coalesce(part.micro, part.summary) IS NOT NULL
) AS parts
FROM episodes e
WHERE e.user_id = $1 AND e.capture = 'CREATED' AND e.summary IS NOT NULL
  AND e.summarized_into_id IS NOT DISTINCT FROM $2::int
ORDER BY e.ended_at, e.thread_id, e.ordinal LIMIT $3`,
};

/** The earliest episodes of a semantic memory, or (null) those that are in none. */
export async function sources(
  tx: Tx,
  memoryId: number | null,
  most: number | null,
): Promise<Source[]> {
  type Row = Omit<Source, 'parts'> & { parts: Json<Source['parts'][number]>[] };
  const rows = await tx.query<Row>(SOURCES, [tx.userId, memoryId, most]);
  return rows.map(({ parts, ...row }) => ({
    ...row,
    parts: parts.map(({ summary, endedAt }) => ({ summary, endedAt: new Date(endedAt) })),
  }));
}

const NEWEST_BEFORE: Statement = {
  name: 'semantic-memories-context',
  text: `
SELECT id, summary FROM (
  SELECT id, summary FROM semantic_memories
  WHERE user_id = $1 AND summary IS NOT NULL AND ($2::int IS NULL OR id < $2) ORDER BY id DESC LIMIT $3) AS newest
ORDER BY id`,
};

/** The newest memories before the given one, or (null) of all, the earliest first. */
export const newestBefore = (
  tx: Tx,
  memoryId: number | null,
  most: number,
): Promise<{ id: number; summary: string }[]> =>
  tx.query(NEWEST_BEFORE, [tx.userId, memoryId, most]);

const SAID = factSaidJson('f', {
  value: 'coalesce(s.value, f.value)',
  statement: 'coalesce(s.statement, f.statement)',
  validFrom:
    "CASE WHEN f.origin = 'HAND' THEN f.valid_from ELSE greatest(f.valid_from, s.since) END",
});

const FACTS: Statement = {
  name: 'semantic-memories-facts',
  text: `
WITH said AS MATERIALIZED (
  SELECT DISTINCT ON (s.fact_id) s.fact_id, s.value, s.statement,
    min(t.occurred_at) OVER (PARTITION BY s.fact_id) AS since
  FROM episodes e
  JOIN turns t ON t.user_id = $1 AND t.thread_id = e.thread_id AND t.number BETWEEN e.first_turn AND e.last_turn
  JOIN fact_sources s ON s.user_id = $1 AND s.turn_id = t.id
  WHERE e.user_id = $1 AND e.id = ANY($2::int[])
  ORDER BY s.fact_id, s.turn_id DESC
)
SELECT u.time_zone AS "timeZone", (
  SELECT coalesce(json_agg(${SAID} ORDER BY f.importance DESC, f.id), '[]')
  FROM said s JOIN facts f ON f.user_id = $1 AND f.id = s.fact_id WHERE ${holdsAt('f', '$3')}
) AS facts FROM users u WHERE u.user_id = $1`,
};

/**
 * The valid facts that turns of these episodes state, in the words of the last of these turns, and since the first of them. Facts from
 * other turns are left out, so that the summary of the episodes contains nothing of other turns.
 */
export async function factsOf(
  tx: Tx,
  episodeIds: readonly number[],
  now: Date,
): Promise<{ timeZone: string | null; facts: ProfileFact[] }> {
  type Row = { timeZone: string | null; facts: Json<ProfileFact>[] };
  const [row] = await tx.query<Row>(FACTS, [tx.userId, episodeIds, now]);
  return { timeZone: row?.timeZone ?? null, facts: (row?.facts ?? []).map(factOf) };
}
