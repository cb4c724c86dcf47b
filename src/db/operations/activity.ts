import type { ActivityKind, ActivityStep } from '../../domain/core/activity.ts';
import type { EventKind } from '../../domain/core/event.ts';
import type { Statement, Tx } from '../core/database.ts';

/** How many of a kind there were in the bucket that begins at a time. */
export type ActivityCount = {
  at: Date;
  kind: ActivityKind;
  /** For EVENT: which events are counted. */
  event: EventKind | null;
  count: number;
};

/** What to count: from a time on, before another, in buckets of the user's calendar. */
export type ActivitySpan = {
  from: Date;
  to: Date;
  step: ActivityStep;
  kinds: readonly ActivityKind[];
};

/** Where each kind is, and the time by which it is counted. */
const SOURCES: Record<ActivityKind, { table: string; at: string; where?: string }> = {
  TURN: { table: 'turns', at: 'occurred_at' },
  THREAD: { table: 'threads', at: 'started_at' },
  EPISODE: { table: 'episodes', at: 'ended_at', where: `capture = 'CREATED'` },
  FACT: { table: 'facts', at: 'valid_from' },
  SEMANTIC_MEMORY: { table: 'semantic_memories', at: 'ended_at' },
  LINK: { table: 'links', at: 'decided_at' },
  REVIEW: { table: 'episode_reviews', at: 'at' },
  EVENT: { table: 'memory_events', at: 'at' },
};

const found = Object.entries(SOURCES).map(
  ([kind, { table, at, where }]) => `
  SELECT '${kind}' AS kind, ${kind === 'EVENT' ? 'kind::text' : 'NULL::text'} AS event, ${at} AS at FROM ${table}
  WHERE user_id = $1 AND ${at} >= $2::timestamptz AND ${at} < $3::timestamptz AND '${kind}' = ANY($5::text[])${where ? ` AND ${where}` : ''}`,
);

const COUNT: Statement = {
  name: 'activity-count',
  text: `
SELECT date_trunc($4::text, f.at, z.zone) AS at, f.kind, f.event, count(*)::int AS count
FROM (${found.join('\n  UNION ALL')}
) f, (SELECT coalesce(max(time_zone), 'UTC') AS zone FROM users WHERE user_id = $1) z
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
};

/** Counts what happened, by kind and bucket, the earliest first; without empty buckets. */
export const count = (tx: Tx, { from, to, step, kinds }: ActivitySpan): Promise<ActivityCount[]> =>
  tx.query<ActivityCount>(COUNT, [tx.userId, from, to, step.toLowerCase(), kinds]);
