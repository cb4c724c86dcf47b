import type { JobContext } from '../context.ts';
import type { ClaimedJob } from '../db/operations/claim-jobs.ts';
import { LANES, type Lane, STEPS } from '../pipeline.ts';
import { laneOf } from '../steps.ts';
import { startCatchUp } from './catch-up.ts';
import { runJob } from './run-job.ts';

/** Runs background steps until it is stopped. */
export type Worker = AsyncDisposable;

/** Seconds a wake-up belongs to a worker that gives no sign of life: then another one takes it. */
const LEASE = 15;
const RENEW_EVERY = 5_000;
/** How often to look for wake-ups that nobody announced, in milliseconds. */
const POLL_EVERY = 1_000;

/** A clock that is set right by less is no concern, in milliseconds. */
const CLOCK_ERROR = 1_000;
/** What is planned for so soon is gathered for a moment only, in milliseconds. */
const SOON = 60_000;
/** A clock that goes back by more has planned what nobody would wait for, in milliseconds. */
const FAR = 3_600_000;

/** The rules soon know the facts of a turn and then wait for vectors: so many more of these steps run at a time. */
const FACTS_AT_ONCE = 4;

/** How long steps under way may take when the worker stops, in milliseconds; then they are released. */
const FINISH = 4_000;

/**
 * Takes due wake-ups, `ctx.config.workers` at a time in each lane. Announcements wake it at once;
 * polling finds what is due by time and what another process left behind.
 */
export async function startWorker(ctx: JobContext): Promise<Worker> {
  const name = `${process.pid}-${crypto.randomUUID()}`;
  const running = new Map<Promise<void>, ClaimedJob>();
  const isModel = ctx.reasoner.generatedBy === 'MODEL';
  const places = placesFor(ctx.config.workers, isModel ? 1 : FACTS_AT_ONCE);
  /** Whether something may be in this worker's name that it does not run: the database was away. */
  let lost = false;
  let begun = false;
  let lastSeen: number | null = null;
  /** What of the clock is in the database. */
  let noted = 0;
  let stopped = false;
  /** Aborted when the steps under way are left behind. */
  const abandoned = new AbortController();
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  const orLost = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      lost = true;
      throw error;
    });

  /**
   * A clock that goes back would leave what is planned waiting for it to come there again. One that was far ahead has planned
   * for a time that is not to come soon, and may have been set right while no server ran.
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
  /** Puts in order what was left behind. False while nothing could be claimed: the poll finds out when there is room. */
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
      await orLost(ctx.deployment().jobs.giveBack(name, [...running.values()]));
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
      // Every run that ends looks again.
      if (stopped || Object.values(free).every((count) => count <= 0)) return;
      const claimed = ctx.deployment().jobs.claim(name, ctx.clock(), LEASE, free, held);
      for (const job of await orLost(claimed)) {
        const run: Promise<void> = orLost(runJob(ctx, name, job, abandoned.signal))
          .catch((error) => {
            const level = abandoned.signal.aborted ? 'info' : 'error';
            ctx.logger[level]({ err: error, step: job.step }, 'job.lost');
          })
          .finally(() => {
            running.delete(run);
            // While the database is away the next poll is soon enough.
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
      .catch((error) => ctx.logger.warn({ err: error }, 'job.claim_failed'))
      .finally(() => {
        looking = null;
        if (lookAgain) poke();
      });
  };

  let gathering: NodeJS.Timeout | undefined;
  const unsubscribe = ctx.announcer.onChange(() => {
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
      // Where that fails another worker waits for the lease.
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

/** How many wake-ups each lane can take. */
const freeOf = (running: readonly Lane[], places: Record<Lane, number>): Record<Lane, number> =>
  Object.fromEntries(
    LANES.map((lane) => [lane, places[lane] - running.filter((own) => own === lane).length]),
  ) as Record<Lane, number>;

/** Runs everything that is due by the context's clock, and what that brings about. For tests. */
export async function drainJobs(ctx: JobContext): Promise<void> {
  for (;;) {
    const claimed = await ctx
      .deployment()
      .jobs.claim('drain', ctx.clock(), 600, freeOf([], placesFor(10)));
    if (claimed.length === 0) return;
    for (const job of claimed) await runJob(ctx, 'drain', job);
  }
}
