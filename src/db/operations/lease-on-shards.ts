import {
  type ChosenJob,
  chooseJobs,
  type DueJob,
  type LaneRoom,
} from '../../domain/core/choose-jobs.ts';
import { LANES, type Lane } from '../../pipeline.ts';
import type { Database, Statement } from '../core/database.ts';
import { AFTER_KILL, HEAD, type LeasedJob, NEW, nameOf } from './leased-job.ts';

// Leases on distributed tables. No statement can lock rows of several shards, so a lease takes two steps: a look at what is due
// on all shards, without locks, and then a lease on the shard of each user, which checks again what the look has seen.

const DUE_COLUMNS =
  'lane, user_id AS "userId", step, subject, run_at AS "runAt", place::float8 AS place';

const dueIn = (lane: Lane, condition: string, order: string): string => `
(SELECT ${DUE_COLUMNS} FROM jobs WHERE lane = '${lane}' AND '${lane}' = ANY ($2::text[]) AND ${condition}
  AND run_at <= $1 AND dead_at IS NULL AND (locked_until IS NULL OR locked_until < $1) ORDER BY ${order})`;

/** The head of each lane's line, and what is new in the lane. */
const LOOK: Statement = {
  name: 'jobs-look',
  text: LANES.flatMap((lane) => [
    dueIn(lane, 'place IS NOT NULL', `place, run_at LIMIT ${HEAD}`),
    dueIn(lane, 'place IS NULL', `run_at LIMIT ${NEW}`),
  ]).join('\nUNION ALL'),
};

const LASTS: Statement = {
  name: 'jobs-lasts',
  text: `
SELECT lane, user_id AS "userId", max(place)::float8 AS place FROM jobs
WHERE user_id = ANY ($1::text[]) AND place IS NOT NULL GROUP BY lane, user_id`,
};

/** What another worker has leased meanwhile, and what is locked at the moment, is left out. */
const LEASE_OWN: Statement = {
  name: 'jobs-lease-own',
  text: `
WITH own AS MATERIALIZED (
  SELECT j.step, j.subject, c.place, c."isTaken"
  FROM jobs j JOIN json_to_recordset($5::json) AS c(step text, subject int, place bigint, "isTaken" boolean)
    ON c.step = j.step AND c.subject = j.subject
  WHERE j.user_id = $4 AND j.run_at <= $2 AND j.dead_at IS NULL AND (j.locked_until IS NULL OR j.locked_until < $2)
  FOR UPDATE OF j SKIP LOCKED
)
UPDATE jobs SET place = own.place,
  locked_by = CASE WHEN "isTaken" THEN $1 ELSE locked_by END,
  locked_until = CASE WHEN "isTaken" THEN $3 ELSE locked_until END,
  attempts = CASE WHEN NOT "isTaken" THEN attempts WHEN locked_by IS NULL THEN attempts + 1
    ELSE 1 + least(attempts, ${AFTER_KILL}) END
FROM own WHERE jobs.user_id = $4 AND jobs.step = own.step AND jobs.subject = own.subject
RETURNING jobs.user_id AS "userId", jobs.step, jobs.subject, triggers, attempts, traceparent, "isTaken", own.place::float8,
  run_at AS "runAt", (SELECT erase_epoch FROM users WHERE user_id = $4) AS "eraseEpoch"`,
};

type Leased = LeasedJob & { isTaken: boolean; runAt: Date };

/** Who leases, at what time, and for how many seconds at first. */
export type Leasing = { worker: string; now: Date; seconds: number };

/** How often to look again when other workers have leased all that was chosen. */
const LOOKS = 3;

/**
 * Leases due jobs on distributed tables.
 * @param lanes the places of each lane
 * @param running what the worker runs
 */
export async function leaseOnShards(
  db: Database,
  leasing: Leasing,
  {
    lanes,
    held,
  }: {
    lanes: LaneRoom<Lane>[];
    held: (Pick<LeasedJob, 'userId' | 'step' | 'subject' | 'place'> & { lane: Lane })[];
  },
): Promise<LeasedJob[]> {
  const running = new Set(held.map(nameOf));
  for (let look = 1; ; look += 1) {
    const seen = await readDue(db, leasing.now, lanes);
    const due = seen.filter((job) => !running.has(nameOf(job)));
    if (due.length === 0) return [];
    const newcomers = new Set(due.flatMap(({ place, userId }) => (place === null ? userId : [])));
    const lasts =
      newcomers.size > 0
        ? await db.system<{ lane: Lane; userId: string; place: number }>(LASTS, [[...newcomers]])
        : [];
    const chosen = chooseJobs(due, { lanes, held, lasts });
    const leased = (await leaseOwn(db, leasing, chosen)).filter(({ isTaken }) => isTaken);
    if (leased.length > 0 || look === LOOKS || !chosen.some(({ isTaken }) => isTaken)) {
      return leased.sort(inOrder).map(({ isTaken, runAt, ...job }) => job);
    }
  }
}

const readDue = (
  db: Database,
  now: Date,
  lanes: readonly LaneRoom<Lane>[],
): Promise<DueJob<Lane>[]> => {
  const free = lanes.filter((room) => room.free > 0).map(({ lane }) => lane);
  return free.length > 0 ? db.system<DueJob<Lane>>(LOOK, [now, free]) : Promise.resolve([]);
};

/** When a lease ends without renewal. Citus allows no sum of a time and an interval in the CASE of an UPDATE. */
const endOf = ({ now, seconds }: Pick<Leasing, 'now' | 'seconds'>): Date =>
  new Date(now.getTime() + seconds * 1000);

/** Leases the jobs of each user on the user's shard. @throws after all users, if one failed */
async function leaseOwn(
  db: Database,
  { worker, now, seconds }: Leasing,
  chosen: readonly ChosenJob[],
): Promise<Leased[]> {
  const byUser = new Map<string, ChosenJob[]>();
  for (const job of chosen) byUser.set(job.userId, [...(byUser.get(job.userId) ?? []), job]);
  const leases = [...byUser].map(([userId, own]) =>
    db.system<Leased>(LEASE_OWN, [
      worker,
      now,
      endOf({ now, seconds }),
      userId,
      JSON.stringify(own),
    ]),
  );
  await Promise.allSettled(leases);
  return (await Promise.all(leases)).flat();
}

const inOrder = (a: Leased, b: Leased): number =>
  a.runAt.getTime() - b.runAt.getTime() || a.place - b.place || (a.step < b.step ? -1 : 1);

const RENEW: Statement = {
  name: 'jobs-renew-own',
  text: `
UPDATE jobs SET locked_until = $2
WHERE user_id = $4 AND (step, subject) IN (
  SELECT j.step, j.subject
  FROM jobs j JOIN json_to_recordset($3::json) AS held(step text, subject int)
    ON j.step = held.step AND j.subject = held.subject
  WHERE j.user_id = $4 AND j.locked_by = $1 FOR UPDATE OF j SKIP LOCKED)`,
};

/** Renews the leases of a worker's jobs on distributed tables, on the shard of each user. */
export async function renewOnShards(
  db: Database,
  { worker, now, seconds }: Leasing,
  held: readonly LeasedJob[],
): Promise<object[]> {
  const userIds = [...new Set(held.map(({ userId }) => userId))];
  const renewals = userIds.map((userId) => {
    const own = JSON.stringify(held.filter((job) => job.userId === userId));
    return db.system(RENEW, [worker, endOf({ now, seconds }), own, userId]);
  });
  await Promise.allSettled(renewals);
  return (await Promise.all(renewals)).flat();
}
