import type { ServerResponse } from 'node:http';
import type { HttpContext } from '../../context.ts';
import type { Readiness } from '../../db/core/readiness.ts';
import { DatabaseUnavailable } from '../../domain/core/errors.ts';
import type { ModelTrouble } from '../../domain/core/loading-model.ts';
import { withTimeout } from '../errors/with-timeout.ts';

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 2_000;
/** A slow database counts as available if it answered anything within this time, in milliseconds. */
const BUSY = 30_000;
/** PostgreSQL's code for a missing table. */
const UNDEFINED_TABLE = '42P01';

/** Why this process is not ready for requests. */
type Trouble = {
  reason:
    | 'STOPPING'
    | 'DATABASE_AWAY'
    | 'MIGRATIONS_PENDING'
    | 'DISK_LOW'
    | 'BACKLOG_STALLED'
    | ModelTrouble['reason'];
  message: string;
  /** Set if reads still work. */
  reads?: true;
};

const STOPPING: Trouble = { reason: 'STOPPING', message: 'The process is stopping.' };

/** Creates the handler of /readyz: 200, or 503 with the reason. Requests at the same time share one query of the database. */
export function createReadiness(ctx: HttpContext): (response: ServerResponse) => Promise<void> {
  let looking: Promise<Trouble | null> | null = null;
  const look = () => {
    looking ??= troubleOf(ctx).finally(() => {
      looking = null;
    });
    return looking;
  };
  return async (response) => {
    const trouble = ctx.stopping.signal.aborted ? STOPPING : await look();
    response.writeHead(trouble ? 503 : 200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ ready: trouble === null, ...trouble }));
  };
}

async function troubleOf(ctx: HttpContext): Promise<Trouble | null> {
  const { db, disk, clock, config, logger, migrations, models } = ctx;
  let read: Readiness;
  try {
    read = await withTimeout(PATIENCE, ctx.deployment().readiness.read(clock()));
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return pending(migrations);
    if (!(error instanceof DatabaseUnavailable) && db.silence() < BUSY) {
      logger.warn({ err: error }, 'ready.database_busy');
      return null;
    }
    logger.warn({ err: error }, 'ready.database_away');
    return { reason: 'DATABASE_AWAY', message: 'The database does not answer.' };
  }
  const { applied, waited } = read;
  // While the next version is rolled out, the database may have more migrations than this version knows.
  const missing = migrations.filter((name) => !applied.includes(name));
  if (missing.length > 0) return pending(missing);
  if (disk?.isLow()) return lowOf(disk);
  // At most two models: the embedder and the reranker. The first trouble is reported.
  for (const model of models) {
    const trouble = model.trouble();
    if (trouble) return { ...trouble, reads: true };
  }
  if (config.workers === 0 || waited <= config.readyStallSeconds) return null;
  return {
    reason: 'BACKLOG_STALLED',
    message:
      `A background step has waited for a worker for ${Math.round(waited)} s; the limit is ` +
      `${config.readyStallSeconds} (READY_STALL_SECONDS). See the metric mnemograph_job_age_seconds and the log.`,
  };
}

const lowOf = ({ freeBytes, reserveBytes }: NonNullable<HttpContext['disk']>): Trouble => ({
  reason: 'DISK_LOW',
  message:
    `Nothing can be written: ${inMB(freeBytes() ?? 0)} MB are free on the disk of DATA_DIR, and ` +
    `${inMB(reserveBytes)} (DISK_RESERVE_MB) are required. Free some space; reading still works.`,
  reads: true,
});

const inMB = (bytes: number) => Math.floor(bytes / 1024 / 1024);

const pending = (names: readonly string[]): Trouble => ({
  reason: 'MIGRATIONS_PENDING',
  message: `The database lacks ${names.length} migrations, the first is ${names[0]}: run "npm run migrate" or restart the server.`,
});
