import type { JobContext } from '../context.ts';
import type { LeasedJob } from '../db/operations/leased-job.ts';
import { isFirstInLine } from '../domain/core/choose-jobs.ts';
import {
  Busy,
  DatabaseUnavailable,
  ModelUnavailable,
  Overtaken,
  StepTimedOut,
} from '../domain/core/errors.ts';
import { MAX_ATTEMPTS, retryDelay, type StepOutcome } from '../domain/core/job.ts';
import { cut } from '../language/text/cut.ts';
import { openMemoryFor } from '../memory.ts';
import type { RunOutcome } from '../observability/job-metrics.ts';
import { LANGUAGE_LANES, STEPS } from '../pipeline.ts';
import { debounced, laneOf } from '../steps.ts';
import { isStuck, notOvertaken } from './overtaken.ts';
import { registry } from './registry.ts';

/**
 * Runs one leased job and stores its outcome: done, run again, failed (retried later), parked or dead.
 * @param abandoned aborted when the worker stops and no longer waits for the job: an error then does not count as a failure
 * @throws if the outcome cannot be stored, for instance while the database is unavailable or busy
 */
export async function runJob(
  ctx: JobContext,
  worker: string,
  job: LeasedJob,
  abandoned?: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const { step, attempts, traceparent: cause } = job;
  const attributes = { 'mnemograph.step': step, 'mnemograph.attempts': attempts };
  const draft = { name: `step ${step}`, kind: 'CONSUMER', cause, attributes } as const;
  await ctx.tracing.span(draft, async (span) => {
    const onFailure = (error: unknown) => {
      if (abandoned?.aborted) throw error;
      span.fail(error);
    };
    const outcome = await run(
      { ...ctx, db: isUrgent(job) ? ctx.db : ctx.db.background, memory: openMemoryFor(step) },
      worker,
      job,
      onFailure,
    );
    span.note({ 'mnemograph.outcome': outcome });
    ctx.metrics.jobRun(step, outcome, (performance.now() - started) / 1000);
  });
}

/** Whether a job goes like a request: facts of somebody's new message, who may ask about it next. */
const isUrgent = ({ step, place }: LeasedJob): boolean =>
  laneOf(step) === 'facts' && isFirstInLine(place);

async function run(
  ctx: JobContext,
  worker: string,
  job: LeasedJob,
  onFailure: (error: unknown) => void,
): Promise<RunOutcome> {
  let outcome: StepOutcome;
  try {
    outcome = await runRepeatedly(lastResort(ctx, job), job);
    notOvertaken(worker, job);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof Busy) throw error;
    if (error instanceof ModelUnavailable) return park(ctx, worker, job, error);
    if (!(error instanceof Overtaken && !isStuck(worker, job))) {
      onFailure(error);
      return failed(ctx, worker, job, error);
    }
    outcome = 'again';
  }
  const now = ctx.clock();
  const again = outcome === 'done' ? null : outcome === 'again' ? now : outcome;
  const rerunAt = debounced(job.step, ctx.config.debounce, now);
  await ctx.deployment().jobs.finish(worker, job, again, rerunAt);
  return again ? 'again' : 'done';
}

/**
 * For how long a step that asks to run again does so under the same lease, in milliseconds. After that other users' jobs in
 * its lane get their turn.
 */
const TURN = 250;

/** Runs a step until it has nothing more to do now, or its turn is over. A step that failed before runs once a lease. */
async function runRepeatedly(ctx: JobContext, job: LeasedJob): Promise<StepOutcome> {
  const until = performance.now() + (job.attempts === 1 ? TURN : 0);
  for (;;) {
    const run = registry[job.step](ctx, job.userId, job.subject);
    const outcome = await orTimedOut(run, ctx.config.limits.stepTimeout);
    if (outcome !== 'again' || performance.now() >= until) return outcome;
  }
}

/** Abandons a step that hangs, so that it does not block its lane. If it stores something later, the next run finds that work done. */
async function orTimedOut<T>(run: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StepTimedOut(milliseconds)), milliseconds);
  });
  return Promise.race([run, timeout]).finally(() => clearTimeout(timer));
}

/** For the last attempt of a language step: the built-in rules without vectors take the place of the model. */
function lastResort(ctx: JobContext, { userId, step, attempts }: LeasedJob): JobContext {
  if (attempts < MAX_ATTEMPTS || !LANGUAGE_LANES.has(laneOf(step))) return ctx;
  ctx.logger.warn({ userId, step }, 'job.last_resort');
  return { ...ctx, reasoner: ctx.builtInReasoner, embedder: null };
}

async function park(ctx: JobContext, worker: string, job: LeasedJob, error: ModelUnavailable) {
  const { userId, step, subject } = job;
  const { message, retryAt } = error;
  ctx.logger.warn({ userId, step, subject, retryAt, reason: message }, 'job.parked');
  ctx.metrics.parked(step);
  await ctx.deployment().jobs.park(worker, job, message, retryAt, ctx.clock());
  return 'parked' as const;
}

async function failed(ctx: JobContext, worker: string, job: LeasedJob, error: unknown) {
  const now = ctx.clock();
  const dead = job.attempts >= MAX_ATTEMPTS;
  const { userId, step, subject, attempts } = job;
  ctx.logger.warn({ err: error, userId, step, subject, attempts, dead }, 'job.failed');
  const runAt = new Date(now.getTime() + retryDelay(attempts) * 1000);
  await ctx.memory(userId).write(
    async (memory) => {
      const hadLease = await memory.jobs.fail(
        worker,
        job,
        describe(error),
        runAt,
        dead ? now : null,
      );
      if (!hadLease || !dead) return;
      const decision = `job.die ${step} (${attempts} attempts)`;
      memory.record({ kind: 'JOB_DIED', decision, details: { step, subject } });
      if (step === STEPS.segmentThread) memory.changed('segmentsGivenUp', subject);
    },
    { lock: false },
  );
  return dead ? ('dead' as const) : ('failed' as const);
}

/** The name and message of an error, cut to 500 characters for the jobs table. */
const describe = (error: unknown): string =>
  cut(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 500);
