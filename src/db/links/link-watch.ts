import type { LinkVerdict } from '../../domain/links/linking.ts';
import type { Statement, Tx } from '../core/database.ts';

/** A thread with links whose outcome is not known yet. */
export type WatchedThread = {
  /** The erase epoch under which this was read. */
  epoch: number;
  threadId: number;
  startedAt: Date;
  turnCount: number;
  isOver: boolean;
  /** The caller chose the thread. */
  isExplicit: boolean;
  links: {
    id: number;
    earlierThreadId: number;
    verdict: LinkVerdict;
    /** How many first turns the decision was based on. */
    turns: number;
    fusedScore: number;
  }[];
};

const NEXT: Statement = {
  name: 'link-watch-next',
  text: `
WITH indexed AS MATERIALIZED (
  SELECT min(coalesce(p.through, 0)) AS through FROM unnest($2::text[]) AS i(name)
  LEFT JOIN index_progress p ON p.user_id = $1 AND p.index_name = i.name
), next AS MATERIALIZED (
  SELECT t.id, t.started_at, t.turn_count, t.state, t.explicit FROM links l
  JOIN threads t ON t.user_id = l.user_id AND t.id = l.thread_id
  JOIN turns last ON last.user_id = t.user_id AND last.thread_id = t.id AND last.number = t.turn_count
  CROSS JOIN indexed
  WHERE l.user_id = $1 AND l.watched_through IS NOT NULL AND last.id <= indexed.through
    AND (t.turn_count > l.watched_through OR t.state <> 'OPEN')
  ORDER BY t.id LIMIT 1
)
SELECT (SELECT erase_epoch FROM users WHERE user_id = $1) AS epoch,
  t.id AS "threadId", t.started_at AS "startedAt", t.turn_count AS "turnCount", t.state <> 'OPEN' AS "isOver",
  t.explicit AS "isExplicit", (
  SELECT json_agg(json_build_object('id', l.id, 'earlierThreadId', l.earlier_thread_id, 'verdict', l.verdict,
    'turns', l.turns, 'fusedScore', l.fused_score) ORDER BY l.fused_score DESC)
  FROM links l WHERE l.user_id = $1 AND l.thread_id = t.id AND l.watched_through IS NOT NULL
) AS links
FROM next t`,
};

/**
 * The first thread that got more turns since its links were decided or last watched, or that is over.
 * @param indexes the names of the indexes that must contain its turns
 */
export async function next(tx: Tx, indexes: readonly string[]): Promise<WatchedThread | null> {
  return (await tx.query<WatchedThread>(NEXT, [tx.userId, indexes]))[0] ?? null;
}

const NOTE: Statement = {
  name: 'link-watch-note',
  text: `UPDATE links SET watched_through = $3 WHERE user_id = $1 AND id = ANY($2::int[]) AND watched_through IS NOT NULL`,
};

/** Records the last turn of the thread that was searched for signs; null = links are no longer watched. */
export const note = (
  tx: Tx,
  linkIds: readonly number[],
  through: number | null,
): Promise<object[]> => tx.query(NOTE, [tx.userId, linkIds, through]);
