import { STEPS } from '../../pipeline.ts';
import type { JobDraft } from '../../steps.ts';
import type { Database, Statement, Tx } from '../core/database.ts';
import { renewOnShards } from './lease-on-shards.ts';
import { AFTER_KILL, type LeasedJob, nameOf } from './leased-job.ts';

const RENEW: Statement = {
  name: 'jobs-renew',
  text: `
UPDATE jobs SET locked_until = $2::timestamptz + make_interval(secs => $3)
WHERE (user_id, step, subject) IN (
  SELECT j.user_id, j.step, j.subject
  FROM jobs j JOIN json_to_recordset($4::json) AS held("userId" text, step text, subject int)
    ON j.user_id = held."userId" AND j.step = held.step AND j.subject = held.subject
  WHERE j.locked_by = $1 FOR UPDATE OF j SKIP LOCKED)`,
};

/** Renews the leases of a worker's jobs. A row that is locked at the moment is renewed the next time. */
export const renew = (
  db: Database,
  worker: string,
  now: Date,
  lease: number,
  held: readonly LeasedJob[],
): Promise<object[]> =>
  db.distributed
    ? renewOnShards(db, { worker, now, seconds: lease }, held)
    : db.system(RENEW, [worker, now, lease, JSON.stringify(held)]);

const NEXT_DUE: Statement = {
  name: 'jobs-next-due',
  text: 'SELECT min(run_at) AS "dueAt" FROM jobs WHERE dead_at IS NULL',
};

/** Returns when the next job is due. In the past if one is due but cannot be leased now; null if there is none. */
export async function nextDue(db: Database): Promise<Date | null> {
  const [row] = await db.system<{ dueAt: Date | null }>(NEXT_DUE, []);
  return row?.dueAt ?? null;
}

const UNPARK: Statement = {
  name: 'jobs-unpark',
  text: `UPDATE jobs SET run_at = $1 WHERE parked_at IS NOT NULL AND run_at > $1 AND locked_by IS NULL`,
};

/** Makes all parked jobs due at once: the settings may have been corrected before the restart. */
export const unpark = (db: Database, now: Date): Promise<object[]> => db.system(UNPARK, [now]);

const RELEASE: Statement = {
  name: 'jobs-release',
  text: `UPDATE jobs SET locked_by = NULL, locked_until = NULL,
  attempts = CASE WHEN $1::text IS NULL THEN least(attempts, ${AFTER_KILL}) ELSE attempts - 1 END
WHERE ($1::text IS NULL AND locked_by IS NOT NULL) OR locked_by = $1`,
};

/** Ends a worker's leases; with null, all leases, for when no worker can be alive. */
export const release = (db: Database, worker: string | null): Promise<object[]> =>
  db.system(RELEASE, [worker]);

/** Compares names of jobs: Citus looks up rows of a list for one user only. */
const RELEASE_UNUSED: Statement = {
  name: 'jobs-release-unused',
  text: `
UPDATE jobs SET locked_by = NULL, locked_until = NULL, attempts = attempts - 1
WHERE locked_by = $1 AND step || ' ' || subject::text || ' ' || user_id <> ALL ($2::text[])`,
};

/** Ends the leases of jobs that a worker does not run, as if the jobs had not been tried. */
export const releaseUnused = (
  db: Database,
  worker: string,
  running: readonly LeasedJob[],
): Promise<object[]> => db.system(RELEASE_UNUSED, [worker, running.map(nameOf)]);

const MINUTE = 60_000;

/** Locks the row first: a trigger that comes meanwhile must be seen by both branches or by neither. */
const finishSql = (columns: string): string => `
WITH run AS MATERIALIZED (
  SELECT triggers = $5 AND $6::timestamptz IS NULL AS is_over${columns} FROM jobs
  WHERE user_id = $1 AND step = $2 AND subject = $3 AND locked_by = $4 FOR UPDATE
), done AS (
  DELETE FROM jobs USING run WHERE user_id = $1 AND step = $2 AND subject = $3 AND is_over
)
UPDATE jobs SET locked_by = NULL, locked_until = NULL, attempts = 0, last_error = NULL, parked_at = NULL,
  run_at = CASE WHEN triggers = $5 THEN coalesce($6, run_at) ELSE greatest(run_at, $7) END,
  place = CASE WHEN $9 THEN (place | 1) + 2 END,
  traceparent = CASE WHEN $8 THEN NULL ELSE traceparent END
FROM run WHERE user_id = $1 AND step = $2 AND subject = $3 AND NOT is_over`;

/** Its commit does not wait for the disk: a job may run twice. The shards of distributed tables refuse such a function. */
const FINISH: Statement = {
  name: 'jobs-finish',
  text: finishSql(`, set_config('synchronous_commit', 'off', true)`),
};
const FINISH_ON_SHARD: Statement = { name: 'jobs-finish-on-shard', text: finishSql('') };

/**
 * Ends a run: the job is removed, unless the step asks to run again at `again`, or the job was triggered again during the
 * run: then it runs again at `rerunAt` at the earliest. A step that continues at once goes behind the other jobs in its line.
 * A run that is planned for much later starts a trace of its own.
 */
export const finish = (
  db: Database,
  worker: string,
  job: LeasedJob,
  again: Date | null,
  rerunAt: Date,
): Promise<object[]> => {
  const isLater = again !== null && again.getTime() > rerunAt.getTime() + MINUTE;
  const continues = again !== null && again.getTime() <= rerunAt.getTime();
  const { userId, step, subject, triggers } = job;
  const times = [again, rerunAt, isLater, continues];
  const statement = db.distributed ? FINISH_ON_SHARD : FINISH;
  return db.system(statement, [userId, step, subject, worker, triggers, ...times]);
};

/** Waits for a `forget` that is under way: an error may quote what it erases. */
const FAIL: Statement = {
  name: 'jobs-fail',
  text: `
WITH own AS MATERIALIZED (
  SELECT erase_epoch FROM users WHERE user_id = $1 FOR KEY SHARE
)
UPDATE jobs SET locked_by = NULL, locked_until = NULL, place = NULL, parked_at = NULL, run_at = $6, dead_at = $7,
  last_error = CASE WHEN erase_epoch = $8 THEN $5 ELSE 'It failed while something was forgotten.' END
FROM own WHERE user_id = $1 AND step = $2 AND subject = $3 AND locked_by = $4
RETURNING step`,
};

/** Ends a failed run: the job is tried again at `runAt`, or is dead. False if another worker has leased it meanwhile. */
export const fail = async (
  tx: Tx,
  worker: string,
  job: LeasedJob,
  error: string,
  runAt: Date,
  deadAt: Date | null,
): Promise<boolean> => {
  const { userId, step, subject, eraseEpoch } = job;
  const values = [userId, step, subject, worker, error, runAt, deadAt, eraseEpoch];
  return (await tx.query(FAIL, values)).length > 0;
};

const PARK: Statement = {
  name: 'jobs-park',
  text: `
UPDATE jobs SET locked_by = NULL, locked_until = NULL, place = NULL, attempts = attempts - 1, last_error = $5,
  run_at = greatest($6::timestamptz,
    $7::timestamptz + least(($7::timestamptz - coalesce(parked_at, $7::timestamptz)) / 4, interval '10 minutes')),
  parked_at = coalesce(parked_at, $7::timestamptz)
WHERE user_id = $1 AND step = $2 AND subject = $3 AND locked_by = $4`,
};

/**
 * Parks a job until a model's server can be asked again, as if the job had not been tried. During a long outage it is tried
 * less and less often, so that a million parked jobs cost little.
 */
export const park = (
  db: Database,
  worker: string,
  job: LeasedJob,
  reason: string,
  runAt: Date,
  now: Date,
): Promise<object[]> =>
  db.system(PARK, [job.userId, job.step, job.subject, worker, reason, runAt, now]);

const PULL_FORWARD: Statement = {
  name: 'jobs-pull-forward',
  text: `
UPDATE jobs SET run_at = CASE WHEN run_at <= $2 OR $4 THEN least(run_at, $1) ELSE run_at END,
  locked_until = CASE WHEN locked_until IS NOT NULL
    THEN least(locked_until, $3) END
WHERE run_at > $1 AND (run_at <= $2 OR $4) AND dead_at IS NULL OR locked_until > $3`,
};

/**
 * After the clock went back to `now`: makes jobs due that were to run until `before`, and shortens leases to `lease` seconds.
 * With `all`, also jobs that are planned for later become due: each step reads the tables and plans its next run anew.
 */
export const pullForward = (
  db: Database,
  now: Date,
  { before, lease, all }: { before: Date; lease: number; all: boolean },
): Promise<object[]> => {
  const leasedUntil = new Date(now.getTime() + lease * 1000);
  return db.system(PULL_FORWARD, [now, before, leasedUntil, all]);
};

/** When a job runs that is triggered again: no later than it would have. */
const RUN_AT = `CASE
    WHEN excluded.step = '${STEPS.idleThread}' THEN excluded.run_at
    WHEN jobs.attempts = 0 AND jobs.parked_at IS NULL THEN least(jobs.run_at, excluded.run_at)
    ELSE jobs.run_at END`;

/**
 * What happens to a job that is stored already: it runs once more. One that waits, and will run soon enough, is only locked until
 * the commit, so that no worker takes it before it can see what triggered it.
 */
const TRIGGERED_AGAIN = `UPDATE SET triggers = jobs.triggers + 1, run_at = ${RUN_AT}
WHERE jobs.locked_by IS NOT NULL OR jobs.run_at <> ${RUN_AT}`;

/** Stores jobs, as a part of any statement. All jobs are stored by this SQL. */
export const insertJobsSql = (rows: string, otherwise = TRIGGERED_AGAIN): string => `
INSERT INTO jobs (user_id, step, subject, run_at) ${rows}
ON CONFLICT (user_id, step, subject) DO ${otherwise}`;

const ADD: Statement = {
  name: 'jobs-add',
  text: insertJobsSql(`SELECT $1, j.step, j.subject, j."runAt"
FROM json_to_recordset($2::json) AS j(step text, subject int, "runAt" timestamptz)`),
};

/** Adds jobs, and triggers those that are stored already once more. */
export const add = (tx: Tx, jobs: readonly JobDraft[]): Promise<object[]> =>
  tx.query(ADD, [tx.userId, JSON.stringify(jobs)]);

const EXPEDITE: Statement = {
  name: 'jobs-expedite',
  text: `
UPDATE jobs SET triggers = triggers + 1, run_at = least(jobs.run_at, j."runAt")
FROM json_to_recordset($2::json) AS j(step text, subject int, "runAt" timestamptz)
WHERE user_id = $1 AND jobs.step = j.step AND jobs.subject = j.subject AND parked_at IS NULL AND dead_at IS NULL
  AND (attempts = 0 OR locked_by IS NOT NULL)`,
};

/** Makes waiting jobs run sooner; adds none. */
export const expedite = (tx: Tx, jobs: readonly JobDraft[]): Promise<object[]> =>
  tx.query(EXPEDITE, [tx.userId, JSON.stringify(jobs)]);

const RETRY: Statement = {
  name: 'jobs-retry',
  text: `
UPDATE jobs SET dead_at = NULL, parked_at = NULL, attempts = 0, run_at = $4, triggers = triggers + 1
WHERE user_id = $1 AND step = $2 AND subject = $3 AND locked_by IS NULL
RETURNING step`,
};

/** Makes a dead, parked or waiting job due at once; false if there is none. */
export async function retry(tx: Tx, step: string, subject: number, now: Date): Promise<boolean> {
  return (await tx.query(RETRY, [tx.userId, step, subject, now])).length > 0;
}
