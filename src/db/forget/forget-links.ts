import type { Statement, Tx } from '../core/database.ts';
import type { Forgotten } from '../kinds/erase.ts';
import { eraseTexts, measure, settle } from '../links/cross-threads.ts';

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
};

export async function crossThreadsOf(tx: Tx, threadIds: readonly number[]): Promise<AcrossThreads> {
  const [row] = await tx.query<AcrossThreads>(ACROSS, [tx.userId, threadIds]);
  return row as AcrossThreads;
}

/** Reasons may repeat words that are forgotten. The later thread of each pair is judged anew. */
const ERASE: Statement = {
  name: 'forget-links',
  text: `
WITH touched AS MATERIALIZED (
  SELECT id, thread_id FROM links
  WHERE user_id = $1 AND (thread_id = ANY($2::int[]) OR earlier_thread_id = ANY($2::int[])
    OR thread_id = ANY($3::int[]) AND generated_by = 'MODEL')
), erased AS (
  UPDATE links SET reasoning = NULL, key_signals = '{}' WHERE user_id = $1 AND id IN (SELECT id FROM touched)
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
  { links: before, episodes, comparedWith, now }: AcrossThreads & { now: Date },
): Promise<Partial<Forgotten>> {
  const gone = await eraseTexts(tx, episodes);
  const [row] = await tx.query<Unlinked>(ERASE, [tx.userId, threadIds, comparedWith]);
  const { again, links, left } = row as Unlinked;
  if (again > 0) tx.changed('threadsToCompare');
  await settle(tx, { threadIds: left, episodeIds: episodes }, now);
  await measure(tx, episodes);
  for (const id of episodes) tx.changed('crossThreadChanged', id);
  return { ...gone, links: before - links, episodes: episodes.length };
}
