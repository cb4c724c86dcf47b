import type { Context } from '../context.ts';
import { gathered, type JobDraft } from '../domain/job.ts';
import type { Memory } from '../memory.ts';

/** Has the step look soon whether the profile still says what is known. */
export const profileWake = (ctx: Context): JobDraft => ({
  step: 'synthesize-profile',
  subject: 0,
  runAt: gathered('synthesize-profile', ctx.config.gather, ctx.clock()),
});

export const wakeProfile = (ctx: Context, memory: Memory): void => memory.wake(profileWake(ctx));
