import { vectorIndexName } from '../../domain/core/vector.ts';
import { STEPS } from '../../pipeline.ts';
import type { Database, Statement, Tx } from '../core/database.ts';
import { KINDS } from '../kinds/kinds.ts';
import { lastTurnOf } from '../kinds/turns/turn-vectors.ts';
import { insertJobsSql } from '../operations/jobs.ts';
import { lacksVectors } from './derived-vectors.ts';
import { jobsOf, queueOutdatedOnShards, REVIVED } from './outdated-on-shards.ts';

const STATUS: Statement = {
  name: 'vector-index-status',
  text: `
SELECT count(*)::int AS users,
  coalesce(sum(least(u.turn_count, u.last_turn - coalesce(p.through, 0))), 0)::int AS turns
FROM users u LEFT JOIN index_progress p ON p.user_id = u.user_id AND p.index_name = $1
WHERE u.turn_count > 0 AND u.last_turn > coalesce(p.through, 0)`,
};

/** Over all users: how many wait for vectors by this embedder, and for how many turns at most. */
export async function status(
  db: Database,
  embedder: string,
): Promise<{ users: number; turns: number }> {
  const [row] = await db.system<{ users: number; turns: number }>(STATUS, [
    vectorIndexName(embedder),
  ]);
  return row ?? { users: 0, turns: 0 };
}

const UNDER_WAY: Statement = {
  name: 'vector-index-under-way',
  text: `SELECT count(*)::int AS jobs FROM jobs WHERE step = '${STEPS.embedTurns}' AND dead_at IS NULL`,
};

/** How many users' embedding is due, planned or running. */
export async function underWay(db: Database): Promise<number> {
  const [row] = await db.system<{ jobs: number }>(UNDER_WAY, []);
  return row?.jobs ?? 0;
}

/**
 * Of the next users by name, those with turns that the embedder has not come to, or with vectors of a former one; or ($8) those of whom
 * another memory has no vector. Looks at a slice of the users only, by their key.
 */
const QUEUE_OUTDATED: Statement = {
  name: 'vector-index-queue-outdated',
  text: `
WITH slice AS MATERIALIZED (
  SELECT user_id FROM users WHERE user_id > $1 ORDER BY user_id LIMIT $2
), behind AS MATERIALIZED (
  SELECT s.user_id
  FROM slice s
  CROSS JOIN LATERAL (
    SELECT max(through) FILTER (WHERE index_name = $4) AS through, bool_or(index_name <> $4) AS has_former
    FROM index_progress WHERE user_id = s.user_id AND index_name LIKE 'vectors:%' OFFSET 0
  ) p
  CROSS JOIN LATERAL (SELECT ${lastTurnOf('s')} AS last OFFSET 0) t
  WHERE p.has_former OR t.last > coalesce(p.through, 0) OR $8 AND (${lacksVectors('s.user_id', '$7')})
  ORDER BY s.user_id LIMIT $3
), queued AS (
  ${insertJobsSql(jobsOf('behind', '$5'), `${REVIVED} AND $6`)}
)
SELECT (SELECT count(*)::int FROM behind) AS behind,
  CASE WHEN (SELECT count(*) FROM behind) < $3 THEN (SELECT max(user_id) FROM slice)
    ELSE (SELECT max(user_id) FROM behind) END AS last`,
};

export type Slice = {
  /** Only users after this one. */
  after: string;
  /** The most users to look at, and to queue. */
  look: number;
  queue: number;
  /** Whether dead jobs are tried again: not each time, since they wait for a person. */
  revive: boolean;
  /** Whether to look at all memories of the users, which takes 2 ms for 100 of them. Not on distributed tables. */
  thorough: boolean;
};

/** Queues embedding for users with turns that have no vector. Returns how many there are, and the last user looked at; null = the end. */
export async function queueOutdated(
  db: Database,
  embedder: string,
  slice: Slice,
  now: Date,
): Promise<{ behind: number; last: string | null }> {
  const { after, look, queue, revive, thorough } = slice;
  const index = vectorIndexName(embedder);
  if (db.distributed) return queueOutdatedOnShards(db, index, slice, now);
  const values = [after, look, queue, index, now, revive, embedder, thorough];
  const [row] = await db.system<{ behind: number; last: string | null }>(QUEUE_OUTDATED, values);
  return row ?? { behind: 0, last: null };
}

const HAS_FORMER: Statement = {
  name: 'vector-index-has-former',
  text: `
SELECT FROM index_progress
WHERE user_id = $1 AND index_name LIKE 'vectors:%' AND index_name <> $2 LIMIT 1`,
};

/** Whether a user has vectors by other embedders. */
export const hasFormer = async (tx: Tx, embedder: string): Promise<boolean> =>
  (await tx.query(HAS_FORMER, [tx.userId, vectorIndexName(embedder)])).length > 0;

const MAKE_CURRENT: Statement = {
  name: 'vector-index-make-current',
  text: `
UPDATE index_progress
SET current_since = CASE WHEN index_name = $2 THEN $3::timestamptz END
WHERE user_id = $1 AND index_name LIKE 'vectors:%' AND (index_name = $2) = (current_since IS NULL)`,
};

/** Notes that a user's vectors by this embedder are complete and in use; those of others are no longer. */
export const makeCurrent = (tx: Tx, embedder: string, now: Date): Promise<object[]> =>
  tx.query(MAKE_CURRENT, [tx.userId, vectorIndexName(embedder), now]);

const CONTEST: Statement = {
  name: 'vector-index-contest',
  text: `
UPDATE index_progress SET current_since = NULL
WHERE user_id = $1 AND index_name LIKE 'vectors:%' AND index_name <> $2 AND current_since IS NOT NULL`,
};

/** Notes that a user's vectors by this embedder are being made: those of no other one are the ones in use. */
export const contest = (tx: Tx, embedder: string): Promise<object[]> =>
  tx.query(CONTEST, [tx.userId, vectorIndexName(embedder)]);

const CURRENT_SINCE: Statement = {
  name: 'vector-index-current-since',
  text: `
SELECT current_since AS since FROM index_progress WHERE user_id = $1 AND index_name = $2 FOR UPDATE`,
};

/** Since when the vectors by this embedder are complete and in use; null = they are not, or not noted yet. */
export async function currentSince(tx: Tx, embedder: string): Promise<Date | null> {
  const values = [tx.userId, vectorIndexName(embedder)];
  return (await tx.query<{ since: Date | null }>(CURRENT_SINCE, values))[0]?.since ?? null;
}

const DROP_PROGRESS: Statement = {
  name: 'vector-index-drop-progress',
  text: `
DELETE FROM index_progress WHERE user_id = $1 AND (index_name LIKE 'vectors:%' OR index_name LIKE 'hnsw:%')
  AND index_name NOT IN ('vectors:' || $2, 'hnsw:' || $2)`,
};

const VECTOR_TABLES = KINDS.map(({ embed }) => embed.table);

const DROP_VECTORS: Statement = {
  name: 'vector-index-drop-vectors',
  text: `
WITH ${VECTOR_TABLES.map(
    (table) =>
      `gone_${table} AS (DELETE FROM ${table} WHERE user_id = $1 AND embedder <> $2 RETURNING embedder)`,
  ).join(',\n')}
SELECT embedder, count(*)::int AS vectors FROM (
  ${VECTOR_TABLES.map((table) => `SELECT embedder FROM gone_${table}`).join(' UNION ALL ')}) AS dropped
GROUP BY 1 ORDER BY 1`,
};

/** Deletes a user's vectors by all other embedders; returns how many by which. */
export async function dropFormer(
  tx: Tx,
  embedder: string,
): Promise<{ embedder: string; vectors: number }[]> {
  // First: it waits for who is just storing vectors, which are then seen and deleted too.
  await tx.query(DROP_PROGRESS, [tx.userId, embedder]);
  return tx.query(DROP_VECTORS, [tx.userId, embedder]);
}
