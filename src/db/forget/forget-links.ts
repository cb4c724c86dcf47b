import type { Statement, Tx } from '../core/database.ts';
import type { Forgotten } from '../kinds/erase.ts';
import { eraseTexts, measure, settle } from '../links/cross-threads.ts';
import { unsaidBy } from '../links/unsaid-outcomes.ts';

const ACROSS: Statement = {
  name: 'forget-links-across',
  text: `
SELECT (SELECT count(*)::int FROM links WHERE user_id = $1) AS links, ARRAY(
  SELECT DISTINCT cross_thread_episode_id FROM threads
  WHERE user_id = $1 AND id = ANY($2::int[]) AND cross_thread_episode_id IS NOT NULL) AS episodes, ARRAY(
  SELECT DISTINCT thread_id FROM links
  WHERE user_id = $1 AND earlier_thread_id = ANY($2::int[]) AND generated_by = 'MODEL') AS "comparedWith"`,
};

/** What threads are linked by, before something of them goes. */
export type AcrossThreads = {
  links: number;
  episodes: number[];
  /** Later threads that a model compared with these: in the same request with others, for whose links it may repeat their words. */
  comparedWith: number[];
  /** Links whose outcome may rest on the turns that go. */
  unsaid: number[];
};

/** Runs before the turns go. */
export async function crossThreadsOf(
  tx: Tx,
  threadIds: readonly number[],
  turnIds: readonly number[],
): Promise<AcrossThreads> {
  const [row] = await tx.query<Omit<AcrossThreads, 'unsaid'>>(ACROSS, [tx.userId, threadIds]);
  const unsaid = await unsaidBy(tx, threadIds, turnIds);
  return { ...(row as AcrossThreads), unsaid };
}

/**
 * Reasons may repeat words that are forgotten. An outcome that may rest on them is unknown again, and joins nothing. The later
 * thread of each pair is judged anew.
 */
const ERASE: Statement = {
  name: 'forget-links',
  text: `
WITH touched AS MATERIALIZED (
  SELECT id, thread_id, id = ANY($4::int[]) AS unsaid FROM links
  WHERE user_id = $1 AND (thread_id = ANY($2::int[]) OR earlier_thread_id = ANY($2::int[])
    OR thread_id = ANY($3::int[]) AND generated_by = 'MODEL')
), erased AS (
  UPDATE links l SET reasoning = NULL, key_signals = '{}', outcome = CASE WHEN t.unsaid THEN 'UNKNOWN' ELSE l.outcome END,
    sign = CASE WHEN NOT t.unsaid THEN l.sign END, rated_at = CASE WHEN NOT t.unsaid THEN l.rated_at END,
    joins = l.joins AND (NOT t.unsaid OR l.verdict = 'LINK')
  FROM touched t WHERE l.user_id = $1 AND l.id = t.id
), again AS (
  UPDATE threads SET linked_turns = 0 WHERE user_id = $1 AND (id IN (SELECT thread_id FROM touched) OR id = ANY($2::int[]))
  RETURNING id
)
SELECT (SELECT count(*)::int FROM again) AS again, (SELECT count(*)::int FROM links WHERE user_id = $1) AS links,
  ARRAY(SELECT id FROM threads WHERE user_id = $1 AND id = ANY($2::int[])) AS "left"`,
};

/** Threads that are compared anew, and what is left of links and of the threads. */
type Unlinked = { again: number; links: number; left: number[] };

/**
 * Takes what was forgotten out of links and cross-thread episodes; runs once the emptied threads are gone. Episodes of
 * which fewer than two threads are left go, the others are summarised anew.
 * @returns how many decisions, episodes, vectors and skills are gone, episodes that lost their texts included
 */
export async function eraseLinks(
  tx: Tx,
  threadIds: readonly number[],
  { links: before, episodes, comparedWith, unsaid, now }: AcrossThreads & { now: Date },
): Promise<Partial<Forgotten>> {
  const gone = await eraseTexts(tx, episodes);
  const [row] = await tx.query<Unlinked>(ERASE, [tx.userId, threadIds, comparedWith, unsaid]);
  const { again, links, left } = row as Unlinked;
  if (again > 0) tx.changed('threadsToCompare');
  await settle(tx, { threadIds: left, episodeIds: episodes }, now);
  await measure(tx, episodes);
  for (const id of episodes) tx.changed('crossThreadChanged', id);
  return { ...gone, links: before - links, episodes: episodes.length };
}
