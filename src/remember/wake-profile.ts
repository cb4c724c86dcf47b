import type { Context } from '../context.ts';
import { gathered } from '../domain/job.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/** Has the step look soon whether the profile still says what is known. */
export async function wakeProfile(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const runAt = gathered('synthesize-profile', ctx.config.gather, ctx.clock());
  await ctx.store.jobs.add(tx, userId, { step: 'synthesize-profile', subject: 0, runAt });
}
