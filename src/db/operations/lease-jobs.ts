import { LANES, type Lane } from '../../pipeline.ts';
import { laneOf } from '../../steps.ts';
import type { Database, Statement } from '../core/database.ts';
import { leaseOnShards } from './lease-on-shards.ts';
import { AFTER_KILL, HEAD, type LeasedJob, NEW } from './leased-job.ts';

const COLUMNS = 'user_id, step, subject, run_at';
/**
 * A job is leased again once its lease is over, unless this worker still runs it. The lease may have been its own: a crash of the
 * database can undo the end of a job.
 */
const IS_DUE = `run_at <= $2 AND dead_at IS NULL
  AND (locked_until IS NULL OR (locked_until < $2 AND (user_id, step, subject) NOT IN (SELECT "userId", step, subject FROM own_runs)))`;

/**
 * Each lane has a line of due jobs that were seen but not leased. The jobs of one user stand behind one another, the first
 * job of a user who joins goes to the head, and one that continues goes behind the others (`FINISH`): so users are served in turn
 * (start-time fair queueing). Who joins gets an even place and what continues an odd one, so new jobs go first. Materialized:
 * under some plans PostgreSQL would run the limited selections more than once. The constant limits, and
 * locking row by row, keep it from reading the whole table.
 */
const LEASE: Statement = {
  name: 'jobs-lease',
  text: `
WITH lanes AS MATERIALIZED (
  SELECT * FROM json_to_recordset($4::json) AS l(lane text, free int, most int) LIMIT ${LANES.length}
), own_runs AS MATERIALIZED (
  SELECT * FROM json_to_recordset($5::json) AS h(lane text, "userId" text, step text, subject int, place bigint)
), held AS MATERIALIZED (
  SELECT lane, "userId" AS user_id, count(*) AS running, min(place) AS place FROM own_runs GROUP BY lane, user_id
), head AS MATERIALIZED (
  SELECT l.lane, own.* FROM lanes l, LATERAL (
    SELECT ${COLUMNS}, place FROM jobs
    WHERE l.free > 0 AND lane = l.lane AND place IS NOT NULL AND ${IS_DUE} ORDER BY place, run_at LIMIT ${HEAD}) AS own
), fresh AS MATERIALIZED (
  SELECT l.lane, own.* FROM lanes l, LATERAL (
    SELECT ${COLUMNS} FROM jobs
    WHERE l.free > 0 AND lane = l.lane AND place IS NULL AND ${IS_DUE} ORDER BY run_at LIMIT ${NEW}) AS own
), firsts AS MATERIALIZED (
  SELECT lane, min(place) & -2 AS place
  FROM (SELECT lane, place FROM head UNION ALL SELECT lane, place FROM held) AS begun GROUP BY lane
), lasts AS MATERIALIZED (
  SELECT lane, user_id, (SELECT max(j.place) FROM jobs j
    WHERE j.lane = f.lane AND j.user_id = f.user_id AND j.place IS NOT NULL) AS place
  FROM (SELECT DISTINCT lane, user_id FROM fresh) AS f
), line AS (
  SELECT lane, ${COLUMNS}, place, false AS is_new FROM head
  UNION ALL
  SELECT lane, ${COLUMNS}, greatest(firsts.place, lasts.place + 1, 0) - 1
    + row_number() OVER (PARTITION BY lane, user_id ORDER BY run_at), true
  FROM fresh JOIN lasts USING (lane, user_id) LEFT JOIN firsts USING (lane)
), counted AS (
  SELECT line.*, coalesce(running, 0)
    + row_number() OVER (PARTITION BY lane, user_id ORDER BY line.place, run_at) AS own
  FROM line LEFT JOIN held USING (lane, user_id)
), chosen AS MATERIALIZED (
  SELECT c.*, own <= most AND free >= row_number() OVER (
    PARTITION BY lane, own <= most ORDER BY c.place, run_at) AS is_taken
  FROM counted c JOIN lanes USING (lane)
), locked AS MATERIALIZED (
  SELECT j.*, c.place, c.is_taken FROM chosen c, LATERAL (
    SELECT user_id, step, subject FROM jobs WHERE user_id = c.user_id AND step = c.step AND subject = c.subject
      AND run_at <= $2 AND dead_at IS NULL AND (locked_until IS NULL OR locked_until < $2)
    FOR UPDATE SKIP LOCKED) AS j
  WHERE c.is_taken OR c.is_new
), moved AS (
  UPDATE jobs SET place = locked.place,
    locked_by = CASE WHEN is_taken THEN $1 ELSE locked_by END,
    locked_until = CASE WHEN is_taken THEN $2::timestamptz + make_interval(secs => $3) ELSE locked_until END,
    attempts = CASE WHEN NOT is_taken THEN attempts WHEN locked_by IS NULL THEN attempts + 1
      ELSE 1 + least(attempts, ${AFTER_KILL}) END
  FROM locked WHERE jobs.user_id = locked.user_id AND jobs.step = locked.step AND jobs.subject = locked.subject
  RETURNING jobs.user_id AS "userId", jobs.step, jobs.subject, triggers, attempts, traceparent, is_taken,
    locked.place::float8, run_at,
    (SELECT erase_epoch FROM users u WHERE u.user_id = jobs.user_id) AS "eraseEpoch"
)
SELECT "userId", step, subject, triggers, attempts, traceparent, "eraseEpoch", place FROM moved WHERE is_taken ORDER BY run_at, place, step`,
};

/**
 * Leases due jobs to a worker, as many as are free in each lane, users in turn, for `seconds` at first. It waits for the disk: a job
 * that kills its process must find its attempt counted.
 * @param running what the worker is running: in a lane with several places, one user then leaves one place to others
 */
export const lease = (
  db: Database,
  worker: string,
  now: Date,
  seconds: number,
  free: Readonly<Record<Lane, number>>,
  running?: readonly LeasedJob[],
): Promise<LeasedJob[]> => {
  const held = (running ?? []).map(({ step, subject, userId, place }) => ({
    lane: laneOf(step),
    step,
    subject,
    userId,
    place,
  }));
  const lanes = LANES.map((lane) => {
    const own = Math.max(0, free[lane]);
    const places = own + held.filter((job) => job.lane === lane).length;
    return { lane, free: own, most: running ? Math.max(1, places - 1) : places };
  });
  if (db.distributed) return leaseOnShards(db, { worker, now, seconds }, { lanes, held });
  const values = [worker, now, seconds, JSON.stringify(lanes), JSON.stringify(held)];
  return db.system<LeasedJob>(LEASE, values);
};
