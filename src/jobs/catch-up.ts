import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Slice } from '../db/vectors/vector-index.ts';
import { ModelUnavailable } from '../domain/core/errors.ts';

/** How many users one statement checks. */
const LOOK = 1_000;
/** The same where all their memories are looked at. */
const LOOK_THOROUGHLY = 20;
/** How many users are caught up at a time, per worker: new turns wait behind no more than these. */
const UNDER_WAY = 2;
/** How often to check whether some of them are done, in milliseconds. Each time at least one more job is queued. */
const LOOK_EVERY = 500;
/** How often to check all users again, in milliseconds: another server process may have changed the embedder. */
const AGAIN_AFTER = 3_600_000;
/** When to try again after a failure, in milliseconds. */
const RETRY_AFTER = 10_000;

/**
 * Checks all users once and queues embedding for those whose vectors are out of date. After a change of the
 * embedder these are all users, including inactive ones. Only a few are queued at a time, so that new turns do not
 * wait for everybody's old turns.
 * @param options.revive when a server starts: retries dead jobs, too, and then looks for memories that were made without an embedder
 * @param options.wait waits between two checks and resolves to false when the server stops; without it everything is queued at once
 */
export async function catchUp(
  ctx: Context,
  { revive = false, wait }: { revive?: boolean; wait?: Wait } = {},
): Promise<void> {
  if (!ctx.embedder) return;
  const { name } = await ctx.embedder.identify();
  const check = { look: LOOK, revive, thorough: false };
  const goesOn = await checkUsers(ctx, name, { ...check, wait });
  if (revive && goesOn) {
    await checkUsers(ctx, name, { ...check, look: LOOK_THOROUGHLY, thorough: true, wait });
  }
}

type Wait = () => Promise<boolean>;
type Check = Pick<Slice, 'look' | 'revive' | 'thorough'> & { wait: Wait | undefined };

/** Checks all users in slices. @returns false if the server stops */
async function checkUsers(
  ctx: Context,
  embedder: string,
  { wait, ...check }: Check,
): Promise<boolean> {
  const most = UNDER_WAY * Math.max(1, ctx.config.workers);
  const { vectorIndex } = ctx.deployment();
  let after: string | null = '';
  let queued = 0;
  while (after !== null) {
    const room: number = wait ? most - (await vectorIndex.underWay()) : check.look;
    const slice = { ...check, after, queue: Math.max(1, room) };
    const found = await vectorIndex.queueOutdated(embedder, slice, ctx.clock());
    queued += found.behind;
    after = found.last;
    const isLong = found.behind > 0 || (check.thorough && after !== null);
    if (isLong && wait && !(await wait())) return false;
  }
  if (queued > 0) ctx.logger.info({ users: queued, embedder }, 'vectors.catch_up');
  return true;
}

/** Runs `catchUp` in the background, at once and then every hour. Retries while the model's server is unavailable. */
export function startCatchUp(ctx: Context): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (milliseconds: number): Promise<boolean> =>
    sleep(milliseconds, true, { signal, ref: false }).catch(() => false);

  const run = async () => {
    for (let revive = true; !signal.aborted; ) {
      try {
        await catchUp(ctx, { revive, wait: () => wait(LOOK_EVERY) });
        revive = false;
        await wait(AGAIN_AFTER);
      } catch (error) {
        const unavailable = error instanceof ModelUnavailable;
        const what = unavailable ? { reason: error.message } : { err: error };
        if (!signal.aborted) ctx.logger.warn(what, 'vectors.catch_up_failed');
        await wait(RETRY_AFTER);
      }
    }
  };
  const running = ctx.embedder ? run() : Promise.resolve();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.race([running, sleep(1_000, undefined, { ref: false })]);
    },
  };
}
