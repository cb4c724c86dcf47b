import type { MemoryKind } from '../../domain/core/memory-kind.ts';
import type { Statement, Tx } from '../core/database.ts';
import { erasing, type Forgetting, type Forgotten, forgottenInAll } from '../kinds/erase.ts';
import { KINDS } from '../kinds/kinds.ts';
import { mendThreads, threadsOf } from '../kinds/turns/forgotten-threads.ts';
import { forgottenTurns } from '../kinds/turns/forgotten-turns.ts';
import { crossThreadsOf, eraseLinks } from './forget-links.ts';

/** What of a user's memory to erase: a thread, or a memory of a kind that can be forgotten by its number. */
export type ForgetTarget =
  | { kind: 'user' }
  | { kind: 'thread' | Lowercase<MemoryKind>; id: number };

/** The error of a failed step may quote the words that it processed. */
const LOCK: Statement = {
  name: 'forget-lock',
  text: `
WITH own AS MATERIALIZED (
  SELECT user_id FROM users WHERE user_id = $1 FOR UPDATE
), errors AS (
  UPDATE jobs SET last_error = NULL WHERE user_id = $1 AND EXISTS (SELECT FROM own) AND last_error IS NOT NULL
)
UPDATE users SET erase_epoch = erase_epoch + 1 WHERE user_id = $1 AND EXISTS (SELECT FROM own) RETURNING erase_epoch`,
};

const SELECT_TURNS = forgottenTurns(KINDS);

/** Those that refer to others first. */
const WITH_TEXTS = KINDS.flatMap(({ erase }) => erase.withTexts ?? []);
const ERASERS = KINDS.toReversed().flatMap(({ erase }) => erase.turns?.(WITH_TEXTS) ?? []);
const WITH_USER = erasing(
  KINDS.flatMap(({ erase }) => erase.withUser ?? []),
  'user_id = $1',
);

const ERASE_USER: Statement = {
  name: 'forget-user',
  text: `
WITH gone_events AS (DELETE FROM memory_events WHERE user_id = $1 RETURNING 1),
gone_jobs AS (DELETE FROM jobs WHERE user_id = $1),
gone_progress AS (DELETE FROM index_progress WHERE user_id = $1),
gone_settings AS (DELETE FROM channel_settings WHERE user_id = $1),
gone_usage AS (DELETE FROM model_usage WHERE user_id = $1),
gone_linking AS (DELETE FROM linking_settings WHERE user_id = $1),
gone_tuning AS (DELETE FROM tuning_runs WHERE user_id = $1),
reset AS (
  UPDATE users SET time_zone = NULL, inactivity_timeout_minutes = NULL, capture_settings = NULL,
    download_hash = NULL, download_until = NULL
  WHERE user_id = $1
), ${WITH_USER.ctes}
SELECT ${WITH_USER.counts} AS gone, (SELECT count(*)::int FROM gone_events) AS events`,
};

/** Erases what a user has set, and what need not have gone with the turns. */
async function eraseUser(tx: Tx): Promise<Partial<Forgotten>> {
  const [row] = await tx.query<{ gone: Partial<Forgotten>; events: number }>(ERASE_USER, [
    tx.userId,
  ]);
  return row ? { ...row.gone, events: row.events } : {};
}

/**
 * Erases for good, with all that was derived, and raises the erase epoch so that no running
 * step writes it back. Runs inside one transaction; waits for saves that are under way.
 * @returns true counts, or null when there is no such user, thread or memory
 */
export async function forget(tx: Tx, target: ForgetTarget, now: Date): Promise<Forgotten | null> {
  if ((await tx.query(LOCK, [tx.userId])).length === 0) return null;
  const isAll = target.kind === 'user';
  const id = isAll ? null : target.id;
  const alone = KINDS.find(({ name }) => name.toLowerCase() === target.kind)?.erase.alone;
  if (alone && id !== null) {
    const gone = await alone(tx, id, now);
    return gone && forgottenInAll([gone]);
  }
  const turns = await tx.query<{ id: number }>(SELECT_TURNS, [tx.userId, target.kind, id]);
  const turnIds = turns.map((turn) => turn.id);
  const threadId = target.kind === 'thread' ? target.id : null;
  const threadIds = await threadsOf(tx, turnIds, { threadId, isAll });
  if (!isAll && threadIds.length === 0) return null;
  const forgetting: Forgetting = { turnIds, isAll, now, lost: {} };
  const across = await crossThreadsOf(tx, threadIds, turnIds);
  const gone: Partial<Forgotten>[] = [];
  for (const erase of ERASERS) gone.push(await erase(tx, forgetting));
  gone.push(await mendThreads(tx, threadIds));
  gone.push(await eraseLinks(tx, threadIds, { ...across, now }));
  if (isAll) gone.push(await eraseUser(tx));
  return forgottenInAll(gone);
}
