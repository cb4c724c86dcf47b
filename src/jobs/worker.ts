import type { Context } from '../context.ts';
import type { LeasedJob } from '../db/operations/lease-jobs.ts';
import { LANES, type Lane, STEPS } from '../pipeline.ts';
import { laneOf } from '../steps.ts';
import { startCatchUp } from './catch-up.ts';
import { runJob } from './run-job.ts';

/** Runs background steps until it is stopped. */
export type Worker = AsyncDisposable;

/** Seconds of a lease that is not renewed: after them another worker takes the job over. */
const LEASE = 15;
const RENEW_EVERY = 5_000;
/** How often to look for jobs that no notification told of, in milliseconds. */
const POLL_EVERY = 1_000;

/** Smaller corrections of the clock are ignored, in milliseconds. */
const CLOCK_ERROR = 1_000;
/** Jobs that are planned for sooner than this are only debounced, in milliseconds. */
const SOON = 60_000;
/** When a clock goes back by more than this, all that was planned becomes due, in milliseconds. */
const FAR = 3_600_000;

/** The rules read facts quickly and then wait for vectors, so this many times more of these steps run at a time. */
const FACTS_AT_ONCE = 4;

/** How long running steps may take when the worker stops, in milliseconds; then their leases are released. */
const FINISH = 4_000;

/**
 * Leases due jobs, `ctx.config.workers` at a time in each lane. A notification makes it look at once;
 * polling finds jobs that become due and jobs that another process left behind.
 */
export async function startWorker(ctx: Context): Promise<Worker> {
  const name = `${process.pid}-${crypto.randomUUID()}`;
  const running = new Map<Promise<void>, LeasedJob>();
  const isModel = ctx.reasoner.generatedBy === 'MODEL';
  const places = placesFor(ctx.config.workers, isModel ? 1 : FACTS_AT_ONCE);
  /** Whether this worker may hold leases of jobs that it does not run: the database was away. */
  let lost = false;
  let begun = false;
  let lastSeen: number | null = null;
  /** The time that this worker last stored in the database. */
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
   * When the clock goes back, planned jobs would wait until it reaches their time again. A clock that was far ahead has planned
   * jobs for a distant time, and may have been corrected while no server ran.
   */
  const followClock = async () => {
    const now = ctx.clock().getTime();
    if (lastSeen === null) {
      noted = (await ctx.deployment().serverClock.read())?.getTime() ?? 0;
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
  /** Prepares leasing after an outage or a change of the clock. False if jobs cannot be leased now: the next poll tries again. */
  const prepare = async (): Promise<boolean> => {
    if (ctx.disk?.isLow()) return false;
    if (!begun) {
      if (ctx.embedded) await ctx.deployment().jobs.release(null);
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
  const look = async () => {
    do {
      lookAgain = false;
      if (stopped || !(await prepare())) return;
      const held = [...running.values()];
      const lanes = held.map(({ step }) => laneOf(step));
      const free = freeOf(lanes, places);
      // A place becomes free when a run ends, which looks again.
      if (stopped || Object.values(free).every((count) => count <= 0)) return;
      const leased = ctx.deployment().jobs.lease(name, ctx.clock(), LEASE, free, held);
      for (const job of await orLost(leased)) {
        const run: Promise<void> = orLost(runJob(ctx, name, job, abandoned.signal))
          .catch((error) => {
            const level = abandoned.signal.aborted ? 'info' : 'error';
            ctx.logger[level]({ err: error, step: job.step }, 'job.lost');
          })
          .finally(() => {
            running.delete(run);
            // While the database is away, the next poll is soon enough.
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
      .apart(look)
      .catch((error) => ctx.logger.warn({ err: error }, 'job.lease_failed'))
      .finally(() => {
        looking = null;
        if (lookAgain) poke();
      });
  };

  let gathering: NodeJS.Timeout | undefined;
  const unsubscribe = ctx.publisher.onChange(() => {
    gathering ??= setTimeout(
      () => {
        gathering = undefined;
        poke();
      },
      (ctx.config.debounce[STEPS.indexTurns] ?? 0) + 1,
    );
  });
  const poll = setInterval(poke, POLL_EVERY);
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
      clearTimeout(gathering);
      clearInterval(poll);
      clearInterval(renew);
      await catchingUp[Symbol.asyncDispose]();
      await looking;
      await Promise.race([
        Promise.all(running.keys()),
        new Promise((resolve) => setTimeout(resolve, FINISH).unref()),
      ]);
      abandoned.abort();
      // If that fails, another worker takes over when the leases end.
      await ctx
        .deployment()
        .jobs.release(name)
        .catch((error) => {
          ctx.logger.warn({ err: error }, 'job.release_failed');
        });
    },
  };
}

/** How many steps run at a time in each lane. */
const placesFor = (workers: number, facts = 1): Record<Lane, number> => ({
  rows: workers,
  vectors: workers,
  facts: workers * facts,
  language: workers,
});

/** How many jobs each lane can take. */
const freeOf = (running: readonly Lane[], places: Record<Lane, number>): Record<Lane, number> =>
  Object.fromEntries(
    LANES.map((lane) => [lane, places[lane] - running.filter((own) => own === lane).length]),
  ) as Record<Lane, number>;

/** Runs all jobs that are due by the context's clock, and the jobs that these trigger. For tests. */
export async function drainJobs(ctx: Context): Promise<void> {
  for (;;) {
    const leased = await ctx
      .deployment()
      .jobs.lease('drain', ctx.clock(), 600, freeOf([], placesFor(10)));
    if (leased.length === 0) return;
    for (const job of leased) await runJob(ctx, 'drain', job);
  }
}
