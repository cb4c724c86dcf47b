import type { Context } from '../context.ts';
import { gathered, type JobDraft } from '../domain/job.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/** Has the step look soon whether the profile still says what is known. */
export const profileWake = (ctx: Context): JobDraft => ({
  step: 'synthesize-profile',
  subject: 0,
  runAt: gathered('synthesize-profile', ctx.config.gather, ctx.clock()),
});

/** Stores that. */
export const wakeProfile = (ctx: Context, tx: Tx, userId: string): Promise<object[]> =>
  ctx.store.jobs.add(tx, userId, profileWake(ctx));
