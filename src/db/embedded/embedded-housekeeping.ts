import { readFile, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { DatabaseUnavailable } from '../../domain/core/errors.ts';
import { asUnavailable } from '../core/unavailable.ts';
import { scrub } from './embedded-scrub.ts';

/** A checkpoint stops everything else, and takes longer the more there is to write: 0.05 s for 3 MB, 0.4 s for 32 MB. */
const WAL_LIMIT_BYTES = 3 * 1024 * 1024;
/** The limit while disk space is low: one WAL segment. */
const WAL_LIMIT_WHEN_LOW = 1024 * 1024;

/**
 * ANALYZE reads 300 rows per unit of this target, while nothing else runs. A quarter of PostgreSQL's default is enough for queries
 * that all begin with the user.
 */
const STATISTICS_TARGET = 25;

/**
 * Finds the table that needs vacuum most, by the default thresholds of autovacuum; their statistics are kept in single-user
 * mode, too. As with autovacuum, the long texts of a table (its TOAST table) count as a table of their own; they need vacuum
 * only if some were deleted, because reading all of them takes long. $1: the largest size of a table, in bytes.
 */
const WORN_TABLE = `
  SELECT format('%I.%I', schemaname, stat.relname) AS name, schemaname = 'pg_toast' AS "isToast"
  FROM pg_stat_all_tables stat JOIN pg_class ON pg_class.oid = relid
  WHERE schemaname IN ('public', 'pg_toast') AND pg_table_size(relid) <= $1::bigint AND (
    n_dead_tup > 50 + .2 * greatest(reltuples, 0)
    OR schemaname = 'public' AND (
      n_mod_since_analyze > 50 + .1 * greatest(reltuples, 0) OR n_ins_since_vacuum > 1000 + .2 * greatest(reltuples, 0)))
  ORDER BY n_dead_tup + n_mod_since_analyze DESC LIMIT 1`;

/** Below this size any plan is good. */
const FEW_PAGES_BYTES = 64 * 1024;

/**
 * Finds the table that has grown most since its last VACUUM or ANALYZE: to more than three times its rows and more than 50, or
 * one that was never analyzed and is not small. A kill loses the counts of rows, but not that a table was never analyzed
 * (`reltuples` is -1).
 */
const GROWN_TABLE = `
  SELECT format('%I.%I', schemaname, stat.relname) AS name
  FROM pg_stat_user_tables stat JOIN pg_class ON pg_class.oid = relid
  WHERE n_live_tup > greatest(50, 3 * reltuples) OR reltuples < 0 AND pg_relation_size(relid) > ${FEW_PAGES_BYTES}
  ORDER BY n_live_tup / greatest(1, reltuples) DESC LIMIT 1`;

/** How much was written, in all and since the last checkpoint. */
const WAL_BYTES = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "inAll",
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS "sinceCheckpoint"
  FROM pg_control_checkpoint()`;

/** The largest table that is vacuumed while a scrub is due, in bytes: it takes some milliseconds. */
const SMALL_TABLE = 4 * 1024 * 1024;
const ANY_SIZE = Number.MAX_SAFE_INTEGER;

/** Less WAL than this makes no table worth a look, in bytes: an idle server notes its clock each minute. */
const LITTLE_BYTES = 16 * 1024;

/** Fewer batches of messages than this leave what they wrote to the next round: an idle server sends some to look for jobs. */
const WORTH_A_LOOK = 10;

/** How long PostgreSQL takes at most to count the rows that were written, in milliseconds: a second, and until the next statement. */
const COUNTED_WITHIN = 5_000;

/** A scrub stops others for seconds, so it waits until the database is used for no more than this share of a round. */
const QUIET = 0.1;

/** After a scrub, the next one waits at least this many times as long as the scrub took. */
const REST = 20;

/** Counts how often something was forgotten, over all users. */
const FORGOTTEN = `SELECT coalesce(sum(erase_epoch), 0)::int AS times FROM users`;
const IS_MIGRATED = `SELECT to_regclass('users') IS NOT NULL AS yes`;

type WornTable = { name: string; isToast: boolean };

type Use = {
  isReadOnly(): boolean;
  onExecuted(call: () => void): void;
  busyMs(): number;
};

export type Housekeeping = {
  /** The time between two rounds, in milliseconds. */
  everyMs: number;
  /** The time between two looks at the WAL and at grown tables while others work, in milliseconds. */
  lookEveryMs: number;
  /** How long after a `forget` the files are scrubbed, in milliseconds. One scrub covers all that was forgotten in between. */
  scrubAfterMs: number;
  /** How much longer a scrub waits while the database is in use, in milliseconds, until it goes first. */
  scrubWithinMs: number;
  /** The file that records up to which `forget` the data files are scrubbed; null if the database is in memory. */
  scrubbed: string | null;
};

/**
 * Does the work of PostgreSQL's background processes, which PGlite lacks: checkpoints (without them `pg_wal` grows for
 * ever), vacuum and analyze of the table that needs it most, and ANALYZE of a table soon after it has grown. It also scrubs
 * forgotten words from the files. It is a client of its own, so it never runs inside another client's transaction.
 *
 * @param isReadOnly whether the disk is nearly full: then only checkpoints run, since they free some space
 * @param onExecuted calls a function for each batch of messages that a client has executed
 * @param busyMs how long all of them took, in milliseconds
 */
export function startHousekeeping(
  connection: pg.PoolConfig,
  { everyMs, lookEveryMs, scrubAfterMs, scrubWithinMs, scrubbed }: Housekeeping,
  { isReadOnly, onExecuted, busyMs }: Use,
): AsyncDisposable {
  let client: pg.Client | undefined;
  let round: Promise<void> = Promise.resolve();
  /** When the scrub is due; null while none is. */
  let dueAt: number | null = null;
  let restUntil = 0;
  let stopping = false;
  let executedSinceLook = 0;
  let nextLook: NodeJS.Timeout | undefined;
  let isMigrated = false;
  /** How much was ever written, in bytes of WAL, and when more than a little of it was. */
  let written = 0;
  let writtenAt = performance.now();
  /** When no table needed anything. */
  let tidyAt = Number.NEGATIVE_INFINITY;
  /** When the last round ended, and how long the database had been busy by then: the work of a round does not count as use. */
  let lastRound = { at: performance.now(), busyMs: busyMs() };

  async function connected(): Promise<pg.Client> {
    if (!client) {
      client = new pg.Client(connection);
      await client.connect();
      await client.query(`SET default_statistics_target = ${STATISTICS_TARGET}`);
    }
    return client;
  }

  async function tidy(): Promise<void> {
    const isQuiet = wasQuiet();
    await tidyAndScrub(await connected(), isQuiet);
    lastRound = { at: performance.now(), busyMs: busyMs() };
  }

  async function tidyAndScrub(on: pg.Client, isQuiet: boolean): Promise<void> {
    const isLow = isReadOnly();
    const forgotten = scrubbed && !isLow ? await forgottenSinceScrub(on, scrubbed) : null;
    await checkpoint(on);
    if (!isLow && tidyAt < writtenAt + COUNTED_WITHIN) {
      // A scrub rewrites all tables that hold words anyway, which takes less time than a VACUUM where most rows were deleted.
      const isTidy = !(await tidyTable(on, forgotten === null ? ANY_SIZE : SMALL_TABLE));
      if (isTidy) tidyAt = performance.now();
    }
    if (scrubbed && forgotten !== null)
      await scrubWhenDue(on, scrubbed, { times: forgotten, isQuiet });
  }

  /** Whether the database had little to do since the last round. */
  function wasQuiet(): boolean {
    const { at, busyMs: before } = lastRound;
    return busyMs() - before <= QUIET * (performance.now() - at);
  }

  /** Looks after the table that needs it most, by two statements, so that others go in between. False if none needs it. */
  async function tidyTable(on: pg.Client, mostBytes: number): Promise<boolean> {
    const { rows } = await on.query<WornTable>(WORN_TABLE, [mostBytes]);
    for (const { name, isToast } of rows) {
      await on.query(`VACUUM (PROCESS_TOAST FALSE) ${name}`);
      if (!isToast) await on.query(`ANALYZE ${name}`);
    }
    return rows.length > 0;
  }

  /** Makes a checkpoint if it is due, and notes whether more than a little was written. */
  async function checkpoint(on: pg.Client): Promise<void> {
    const { rows } = await on.query<{ inAll: number; sinceCheckpoint: number }>(WAL_BYTES);
    const { inAll = 0, sinceCheckpoint = 0 } = rows[0] ?? {};
    const limit = isReadOnly() ? WAL_LIMIT_WHEN_LOW : WAL_LIMIT_BYTES;
    if (inAll - written > LITTLE_BYTES) {
      written = inAll;
      writtenAt = performance.now();
    }
    if (sinceCheckpoint > limit) await on.query('CHECKPOINT');
  }

  /** Looks at the WAL and at grown tables between the rounds, which come too late for a large import into an empty database. */
  async function look(): Promise<void> {
    nextLook = undefined;
    executedSinceLook = 0;
    const on = await connected();
    await checkpoint(on);
    const isCounted = performance.now() > writtenAt + COUNTED_WITHIN;
    const grown =
      isReadOnly() || isCounted ? [] : (await on.query<{ name: string }>(GROWN_TABLE)).rows;
    for (const { name } of grown) await on.query(`ANALYZE ${name}`);
  }

  /** Ignores a failure for lack of disk space: a later round tries again. */
  async function ifRoom(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(asUnavailable(error) instanceof DatabaseUnavailable)) throw error;
    }
  }

  /** How often something was forgotten, if that was more often than when the files were scrubbed last; else null. */
  async function forgottenSinceScrub(on: pg.Client, file: string): Promise<number | null> {
    isMigrated ||= (await on.query<{ yes: boolean }>(IS_MIGRATED)).rows[0]?.yes ?? false;
    if (!isMigrated) return null;
    const { rows } = await on.query<{ times: number }>(FORGOTTEN);
    const times = rows[0]?.times ?? 0;
    return times > (await readCount(file)) ? times : null;
  }

  async function scrubWhenDue(
    on: pg.Client,
    file: string,
    { times, isQuiet }: { times: number; isQuiet: boolean },
  ): Promise<void> {
    const began = performance.now();
    dueAt ??= Math.max(restUntil, began + scrubAfterMs);
    if (began < dueAt + (isQuiet ? 0 : scrubWithinMs)) return;
    if (!(await scrub(on, () => stopping || isReadOnly()))) return;
    await writeFile(file, String(times), { mode: 0o600 });
    dueAt = null;
    restUntil = performance.now() + REST * (performance.now() - began);
  }

  const afterOthers = (work: () => Promise<void>) => () => {
    // A long round leaves others waiting: they are not worth waiting for at the end.
    round = round.then(() => (stopping ? undefined : ifRoom(work)));
  };
  const rounds = setInterval(afterOthers(tidy), everyMs);
  // No timer runs while the database is idle.
  onExecuted(() => {
    executedSinceLook += 1;
    if (executedSinceLook >= WORTH_A_LOOK && !stopping)
      nextLook ??= setTimeout(afterOthers(look), lookEveryMs);
  });

  return {
    async [Symbol.asyncDispose]() {
      stopping = true;
      clearInterval(rounds);
      clearTimeout(nextLook);
      await round;
      await client?.end();
    },
  };
}

const readCount = async (file: string): Promise<number> =>
  Number(await readFile(file, 'utf8').catch(() => '0'));
