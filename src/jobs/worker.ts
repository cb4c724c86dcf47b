import type { JobContext } from '../context.ts';
import type { LeasedJob } from '../db/operations/leased-job.ts';
import { LANES, LANGUAGE_LANES, type Lane, STEPS } from '../pipeline.ts';
import { laneOf } from '../steps.ts';
import { startCatchUp } from './catch-up.ts';
import { startPolling } from './polling.ts';
import { runJob } from './run-job.ts';

/** Runs background steps until it is stopped. */
export type Worker = AsyncDisposable;

/** How long a lease lasts without renewal, in seconds. After it another worker takes the job over. */
const LEASE = 15;
/** How often leases are renewed, in milliseconds. */
const RENEW_EVERY = 5_000;

/** Clock corrections smaller than this are ignored, in milliseconds. */
const CLOCK_ERROR = 1_000;
/**
 * Jobs due within this time become due at once when the clock went back; it is also how often the clock is noted. In
 * milliseconds.
 */
const SOON = 60_000;
/** When the clock goes back by more than this, all scheduled jobs become due, in milliseconds. */
const FAR = 3_600_000;

/**
 * How many steps of the `LANGUAGE_LANES` run at a time for each of `config.workers`, with the built-in rules: they compute briefly
 * and then wait for vectors, while others can compute. With many more each would take long, since they share one thread, and a new
 * user would wait for one of them to end.
 */
const RULES_AT_ONCE = 4;

/** Steps of new turns whose results are wanted within a second. */
const SOON_WANTED = [STEPS.extractFacts, STEPS.indexTurns];

/** How long to wait for running steps when the worker stops, in milliseconds, before their leases are released. */
const FINISH = 4_000;

/**
 * Leases and runs due jobs, `ctx.config.workers` at a time in each lane, or one while the load is high. A notification makes the worker look as soon as the
 * debounce of `SOON_WANTED` is over; polling finds jobs that become due and jobs whose lease another process let expire. While
 * nothing changes and nothing is due, it polls less often.
 */
export async function startWorker(ctx: JobContext): Promise<Worker> {
  const name = `${process.pid}-${crypto.randomUUID()}`;
  const running = new Map<Promise<void>, LeasedJob>();
  const isModel = ctx.reasoner.generatedBy === 'MODEL';
  const places = placesFor(ctx.config.workers, isModel ? 1 : RULES_AT_ONCE);
  const fewPlaces = placesFor(1);
  /** Whether this worker may hold leases of jobs that it does not run, because the database was unavailable. */
  let lost = false;
  let begun = false;
  let lastSeen: number | null = null;
  /** The clock reading that this worker last stored in the database, in milliseconds. */
  let noted = 0;
  let stopped = false;
  /** Aborted when the worker stops waiting for its running steps. */
  const abandoned = new AbortController();
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  const orLost = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      lost = true;
      throw error;
    });

  /**
   * Reschedules jobs when the clock went back: otherwise they would wait until it reaches their time again. The last reading
   * is kept in the database, since a clock that was ahead may have been corrected while no server ran.
   */
  const followClock = async () => {
    const now = ctx.clock().getTime();
    if (lastSeen === null) {
      noted = (await ctx.deployment().serverClock.read())?.getTime() ?? 0;
      // A stored reading far ahead of now shows that the clock went back while no server ran.
      lastSeen = noted > now + SOON ? noted : 0;
    }
    if (now < lastSeen - CLOCK_ERROR) {
      const seconds = Math.round((lastSeen - now) / 1000);
      ctx.logger.warn({ seconds }, 'clock.went_back');
      const before = new Date(lastSeen + SOON);
      const all = lastSeen - now > FAR;
      await ctx.deployment().jobs.pullForward(new Date(now), { before, lease: LEASE, all });
    }
    lastSeen = now;
    if (Math.abs(now - noted) < SOON) return;
    await ctx.deployment().serverClock.note(new Date(now));
    noted = now;
  };
  /** Cleans up before leasing, after a start, an outage or a clock change. False while the disk is low: no jobs are leased then. */
  const prepare = async (): Promise<boolean> => {
    if (ctx.disk?.isLow()) return false;
    if (!begun) {
      if (ctx.db.embedded) await ctx.deployment().jobs.release(null);
      await ctx.deployment().jobs.unpark(ctx.clock());
      begun = true;
    }
    await followClock();
    if (lost) {
      lost = false;
      await orLost(ctx.deployment().jobs.releaseUnused(name, [...running.values()]));
    }
    return true;
  };
  const freePlaces = (runningJobs: readonly LeasedJob[]): Record<Lane, number> => {
    const lanes = runningJobs.map(({ step }) => laneOf(step));
    return freeOf(lanes, ctx.load.isHigh() ? fewPlaces : places);
  };
  /** Waits for the next job to be due, if nothing is to be done before. */
  const restIfIdle = async () => {
    if (stopped || !polling.isIdle() || running.size > 0) return;
    const dueAt = await ctx.deployment().jobs.nextDue();
    const wait = dueAt ? dueAt.getTime() - ctx.clock().getTime() : Number.POSITIVE_INFINITY;
    // A job that is due now belongs to another worker, which may be gone: the usual poll comes sooner.
    if (wait > 0) polling.rest(wait);
  };
  const look = async () => {
    do {
      lookAgain = false;
      if (stopped || !(await prepare())) return;
      const runningJobs = [...running.values()];
      const free = freePlaces(runningJobs);
      // No place is free: the end of a run makes the worker look again.
      if (stopped || Object.values(free).every((count) => count === 0)) return;
      const newJobs = ctx.deployment().jobs.lease(name, ctx.clock(), LEASE, free, runningJobs);
      for (const job of await orLost(newJobs)) {
        polling.stayAwake();
        const run: Promise<void> = orLost(runJob(ctx, name, job, abandoned.signal))
          .catch((error) => {
            const level = abandoned.signal.aborted ? 'info' : 'error';
            ctx.logger[level]({ err: error, step: job.step }, 'job.lost');
          })
          .finally(() => {
            running.delete(run);
            // While the database is unavailable, the next poll is soon enough.
            if (!lost) poke();
          });
        running.set(run, job);
      }
    } while (lookAgain);
  };
  const poke = () => {
    if (stopped) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = ctx.tracing
      .apart(() => look().then(restIfIdle))
      .catch((error) => ctx.logger.warn({ err: error }, 'job.lease_failed'))
      .finally(() => {
        looking = null;
        if (lookAgain) poke();
      });
  };

  const polling = startPolling(poke);
  /** When to look after a change, in milliseconds: looking earlier would miss the jobs of new turns, which wait that long. */
  const waits = SOON_WANTED.map((step) => (ctx.config.debounce[step] ?? 0) + 1);
  const looks = new Map<number, NodeJS.Timeout>();
  const lookAfter = (wait: number) => {
    if (looks.has(wait)) return;
    const timer = setTimeout(() => {
      looks.delete(wait);
      poke();
    }, wait);
    looks.set(wait, timer);
  };
  const unsubscribe = ctx.publisher.onChange((_userId, byStep) => {
    polling.stayAwake();
    // The end of the step makes the worker look.
    if (!byStep) waits.forEach(lookAfter);
  });
  const renew = setInterval(() => {
    if (running.size === 0) return;
    ctx
      .deployment()
      .jobs.renew(name, ctx.clock(), LEASE, [...running.values()])
      .catch((error) => {
        ctx.logger.warn({ err: error }, 'job.renew_failed');
      });
  }, RENEW_EVERY);
  poke();
  const catchingUp = startCatchUp(ctx);

  return {
    async [Symbol.asyncDispose]() {
      stopped = true;
      unsubscribe();
      looks.forEach((timer) => void clearTimeout(timer));
      polling[Symbol.dispose]();
      clearInterval(renew);
      await catchingUp[Symbol.asyncDispose]();
      await looking;
      await Promise.race([
        Promise.all(running.keys()),
        new Promise((resolve) => setTimeout(resolve, FINISH).unref()),
      ]);
      abandoned.abort();
      // If this fails, another worker takes the jobs over when the leases expire.
      await ctx
        .deployment()
        .jobs.release(name)
        .catch((error) => {
          ctx.logger.warn({ err: error }, 'job.release_failed');
        });
    },
  };
}

/** How many steps run at a time in each lane. @param atOnce for each worker in the `LANGUAGE_LANES` */
const placesFor = (workers: number, atOnce = 1): Record<Lane, number> =>
  Object.fromEntries(
    LANES.map((lane) => [lane, LANGUAGE_LANES.has(lane) ? workers * atOnce : workers]),
  ) as Record<Lane, number>;

/** How many more jobs each lane can run. */
const freeOf = (running: readonly Lane[], places: Record<Lane, number>): Record<Lane, number> =>
  Object.fromEntries(
    LANES.map((lane) => {
      const taken = running.filter((each) => each === lane).length;
      return [lane, Math.max(0, places[lane] - taken)];
    }),
  ) as Record<Lane, number>;

/**
 * Runs all jobs that are due by `ctx.clock`, and those that they trigger, one after another: for tests and the demo.
 * @param within jobs due within this time run too, once no other is due, in milliseconds
 */
export async function drainJobs(ctx: JobContext, within = 0): Promise<void> {
  const { jobs } = ctx.deployment();
  for (;;) {
    const now = ctx.clock().getTime();
    const dueAt = (await jobs.nextDue())?.getTime() ?? Number.POSITIVE_INFINITY;
    if (dueAt > now + within) return;
    const at = new Date(Math.max(now, dueAt));
    const leased = await jobs.lease('drain', at, 600, freeOf([], placesFor(10)));
    if (leased.length === 0) return;
    for (const job of leased) await runJob(ctx, 'drain', job);
  }
}
