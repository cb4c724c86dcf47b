import type { Context } from '../context.ts';

/**
 * Makes a dead or waiting background step due at once.
 * @returns false when the user has no such step, or it is running
 */
export async function retryJob(
  ctx: Context,
  userId: string,
  step: string,
  subject: number,
): Promise<boolean> {
  const found = await ctx.db.asUser(userId, (tx) =>
    ctx.store.jobs.retry(tx, userId, step, subject, ctx.clock()),
  );
  if (found) ctx.announcer.announce(userId);
  return found;
}
