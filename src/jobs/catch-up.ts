import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { ModelUnavailable } from '../domain/core/errors.ts';

/** How many users one statement looks at. */
const LOOK = 1_000;
/** How many users are caught up at a time, for each worker: new turns wait behind no more than these. */
const UNDER_WAY = 2;
/** How often to look whether some of them are done, in milliseconds; each time at least one more job is queued. */
const LOOK_EVERY = 500;
/** How often to go through all users again, in milliseconds: another server may have changed the embedder. */
const AGAIN_AFTER = 3_600_000;
/** When to try again after a failure, in milliseconds. */
const RETRY_AFTER = 10_000;

/**
 * Goes through all users once and queues embedding for those whose vectors are behind; after a change of the
 * embedder these are all users, including those who never return. Only a few at a time, so that new turns do not
 * wait for the old turns of everybody. `wait` resolves early, with false, when the server stops.
 */
export async function catchUp(
  ctx: Context,
  { revive = false, wait }: { revive?: boolean; wait?: () => Promise<boolean> } = {},
): Promise<void> {
  if (!ctx.embedder) return;
  const { name } = await ctx.embedder.identify();
  const most = UNDER_WAY * Math.max(1, ctx.config.workers);
  let after: string | null = '';
  let queued = 0;
  while (after !== null) {
    const room: number = wait ? most - (await ctx.deployment().vectorIndex.underWay()) : LOOK;
    const slice = { after, look: LOOK, queue: Math.max(1, room), revive };
    const found = await ctx.deployment().vectorIndex.queueOutdated(name, slice, ctx.clock());
    queued += found.behind;
    after = found.last;
    if (found.behind > 0 && wait && !(await wait())) return;
  }
  if (queued > 0) ctx.logger.info({ users: queued, embedder: name }, 'vectors.catch_up');
}

/** Catches up in the background, at once and every hour. The model's server need not be available at the start. */
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
