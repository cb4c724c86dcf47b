import { THREAD_STEPS } from '../../steps.ts';
import type { Statement, Tx } from '../core/database.ts';
import { eraseConsolidations } from './forget-consolidations.ts';
import { eraseEpisodes } from './forget-episodes.ts';
import { eraseFacts, eraseToldFacts } from './forget-facts.ts';
import { crossThreadsOf, eraseLinks } from './forget-links.ts';
import { eraseReviews } from './forget-reviews.ts';

/** What of a user's memory to erase. */
export type ForgetTarget =
  | { kind: 'user' }
  | { kind: 'thread'; threadId: number }
  | { kind: 'turn'; turnId: number }
  | { kind: 'episode'; episodeId: number }
  | { kind: 'fact'; factId: number };

/** How many rows are gone. */
export type Forgotten = {
  threads: number;
  turns: number;
  postings: number;
  vectors: number;
  episodes: number;
  skills: number;
  reviews: number;
  facts: number;
  semanticMemories: number;
  profiles: number;
  links: number;
  /** Events of threads that are gone: the only gaps that the numbers of a log have behind those that were trimmed. */
  events: number;
};

/** An error that a step failed with may quote what it worked on. */
const LOCK: Statement = {
  name: 'forget-lock',
  text: `
WITH own AS MATERIALIZED (
  SELECT user_id FROM users WHERE user_id = $1 FOR UPDATE
), errors AS (
  UPDATE jobs SET last_error = NULL WHERE user_id IN (SELECT user_id FROM own) AND last_error IS NOT NULL
)
UPDATE users SET erase_epoch = erase_epoch + 1 WHERE user_id IN (SELECT user_id FROM own) RETURNING erase_epoch`,
};

const SELECT_TURNS: Statement = {
  name: 'forget-turns',
  text: `
SELECT id FROM turns
WHERE user_id = $1 AND ($2::int IS NULL OR thread_id = $2) AND ($3::int IS NULL OR id = $3)
  AND ($4::int IS NULL OR EXISTS (
    SELECT FROM episodes e WHERE e.user_id = $1 AND (e.id = $4 OR e.merged_into_id = $4) AND e.thread_id = turns.thread_id
      AND (e.kind = 'PRIMARY' OR turns.number BETWEEN e.first_turn AND e.last_turn)
    UNION ALL SELECT FROM threads t
    WHERE t.user_id = $1 AND t.id = turns.thread_id AND t.cross_thread_episode_id = $4))`,
};

const ERASE: Statement = {
  name: 'forget-erase',
  text: `
WITH gone_vectors AS (
  DELETE FROM turn_vectors WHERE user_id = $1 AND turn_id = ANY($2::int[]) RETURNING turn_id
), gone_postings AS (
  DELETE FROM postings WHERE user_id = $1 AND turn_id = ANY($2::int[]) RETURNING turn_id
), gone_turns AS (
  DELETE FROM turns WHERE user_id = $1 AND id = ANY($2::int[]) RETURNING id, key_hash, word_count
), keys AS (
  INSERT INTO erased_keys (user_id, key_hash)
  SELECT $1, key_hash FROM gone_turns WHERE key_hash IS NOT NULL ON CONFLICT DO NOTHING
), counted AS (
  UPDATE users SET turn_count = turn_count - (SELECT count(*) FROM gone_turns),
    word_count = word_count - (SELECT coalesce(sum(word_count), 0) FROM gone_turns)
  WHERE user_id = $1
)
SELECT (SELECT count(*) FROM gone_turns)::int AS turns, (SELECT count(*) FROM gone_postings)::int AS postings,
  (SELECT count(*) FROM gone_vectors)::int AS vectors`,
};

/** What is left of the threads that lost turns: emptied ones go, the others are described anew. */
const MEND_THREADS: Statement = {
  name: 'forget-mend',
  text: `
WITH remaining AS (
  SELECT t.thread_id, t.id, row_number() OVER (PARTITION BY t.thread_id ORDER BY t.occurred_at, t.number) AS number,
    t.occurred_at, t.channel
  FROM turns t WHERE t.user_id = $1 AND t.thread_id = ANY($2::int[])
), renumbered AS (
  UPDATE turns t SET number = r.number FROM remaining r
  WHERE t.user_id = $1 AND t.id = r.id AND t.number <> r.number
), described AS (
  SELECT thread_id, count(*) AS turn_count, min(occurred_at) AS started_at, max(occurred_at) AS last_activity_at,
    array_agg(DISTINCT channel) AS channels
  FROM remaining GROUP BY thread_id
), mended AS (
  UPDATE threads t SET turn_count = d.turn_count, started_at = d.started_at,
    last_activity_at = d.last_activity_at, channels = d.channels,
    idle_at = d.last_activity_at + (t.idle_at - t.last_activity_at)
  FROM described d WHERE t.user_id = $1 AND t.id = d.thread_id
), gone AS (
  DELETE FROM threads WHERE user_id = $1 AND id = ANY($2::int[])
    AND id NOT IN (SELECT thread_id FROM described)
  RETURNING id
), gone_events AS (
  DELETE FROM memory_events WHERE user_id = $1 AND thread_id IN (SELECT id FROM gone) RETURNING number
), gone_jobs AS (
  DELETE FROM jobs WHERE user_id = $1 AND step IN (${THREAD_STEPS.map((step) => `'${step}'`).join(', ')})
    AND subject IN (SELECT id FROM gone)
)
SELECT count(*)::int AS threads, (SELECT count(*) FROM gone_events)::int AS events,
  ARRAY(SELECT thread_id FROM described) AS "left" FROM gone`,
};

const ERASE_USER: Statement = {
  name: 'forget-user',
  text: `
WITH gone_events AS (DELETE FROM memory_events WHERE user_id = $1),
gone_jobs AS (DELETE FROM jobs WHERE user_id = $1),
gone_progress AS (DELETE FROM index_progress WHERE user_id = $1),
gone_settings AS (DELETE FROM channel_settings WHERE user_id = $1),
gone_usage AS (DELETE FROM model_usage WHERE user_id = $1),
gone_facts AS (DELETE FROM facts WHERE user_id = $1 RETURNING id),
gone_linking AS (DELETE FROM linking_settings WHERE user_id = $1),
gone_tuning AS (DELETE FROM tuning_runs WHERE user_id = $1),
reset AS (
  UPDATE users SET time_zone = NULL, inactivity_timeout_minutes = NULL, capture_settings = NULL WHERE user_id = $1
)
SELECT (SELECT count(*) FROM gone_facts)::int AS facts,
  (SELECT count(*) FROM fact_vectors WHERE user_id = $1)::int AS vectors`,
};

const THREADS_OF: Statement = {
  name: 'forget-threads',
  text: `
SELECT DISTINCT thread_id AS id FROM turns WHERE user_id = $1 AND id = ANY($2::int[])
UNION SELECT id FROM threads WHERE user_id = $1 AND ($3::int = id OR $4)`,
};

/** Of everything, facts are erased at once. */
const NO_FACTS = { facts: 0, vectors: 0, profiles: 0 };
const NOTHING_DERIVED = { semanticMemories: 0, profiles: 0, links: 0 };

const NO_TURNS = {
  threads: 0,
  turns: 0,
  postings: 0,
  episodes: 0,
  skills: 0,
  reviews: 0,
  events: 0,
};

async function forgetFact(tx: Tx, factId: number, now: Date): Promise<Forgotten | null> {
  const gone = await eraseFacts(tx, [factId], now);
  return gone.facts === 0 ? null : { ...NO_TURNS, ...NOTHING_DERIVED, ...gone };
}

/**
 * Erases for good, with all that was derived, and raises the erase epoch so that no running
 * step writes it back. Runs inside one transaction; waits for saves that are under way.
 * @returns true counts, or null when there is no such user, thread or turn
 */
export async function forget(tx: Tx, target: ForgetTarget, now: Date): Promise<Forgotten | null> {
  if ((await tx.query(LOCK, [tx.userId])).length === 0) return null;
  if (target.kind === 'fact') return forgetFact(tx, target.factId, now);
  const threadId = target.kind === 'thread' ? target.threadId : null;
  const turnId = target.kind === 'turn' ? target.turnId : null;
  const episodeId = target.kind === 'episode' ? target.episodeId : null;
  const turns = await tx.query<{ id: number }>(SELECT_TURNS, [
    tx.userId,
    threadId,
    turnId,
    episodeId,
  ]);
  const ids = turns.map((turn) => turn.id);
  const threads = await tx.query<{ id: number }>(THREADS_OF, [
    tx.userId,
    ids,
    threadId,
    target.kind === 'user',
  ]);
  if (target.kind !== 'user' && threads.length === 0) return null;
  const isAll = target.kind === 'user';
  const told = isAll ? NO_FACTS : await eraseToldFacts(tx, ids, now);
  const { memoryIds, ...erased } = await eraseEpisodes(tx, ids);
  const reviews = erased.reviews + (await eraseReviews(tx, ids));
  const derived = await eraseConsolidations(tx, memoryIds, isAll, now);
  const [row] = await tx.query<Pick<Forgotten, 'turns' | 'postings' | 'vectors'>>(ERASE, [
    tx.userId,
    ids,
  ]);
  const gone = row as NonNullable<typeof row>;
  const threadIds = threads.map((thread) => thread.id);
  const across = await crossThreadsOf(tx, threadIds);
  const [mended] = await tx.query<Pick<Forgotten, 'threads' | 'events'> & { left: number[] }>(
    MEND_THREADS,
    [tx.userId, threadIds],
  );
  for (const id of mended?.left ?? []) tx.changed('turnsForgotten', id);
  const linked = await eraseLinks(tx, threadIds, across, now);
  const [byHand = { facts: 0, vectors: 0 }] = isAll
    ? await tx.query<{ facts: number; vectors: number }>(ERASE_USER, [tx.userId])
    : [];
  const parts = [gone, erased, derived, told, linked, byHand];
  return {
    ...gone,
    ...derived,
    threads: mended?.threads ?? 0,
    events: mended?.events ?? 0,
    episodes: erased.episodes + linked.episodes,
    skills: erased.skills + linked.skills,
    facts: told.facts + byHand.facts,
    profiles: told.profiles + derived.profiles,
    vectors: parts.reduce((sum, { vectors }) => sum + vectors, 0),
    links: linked.links,
    reviews,
  };
}
