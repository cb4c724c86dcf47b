import type { Context } from '../context.ts';
import { gathered } from '../domain/job.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/** Has the steps look soon whether there is something to consolidate. */
export async function wakeConsolidation(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const runAt = gathered('consolidate', ctx.config.gather, ctx.clock());
  await ctx.store.jobs.add(tx, userId, { step: 'consolidate', subject: 0, runAt });
  await ctx.store.jobs.add(tx, userId, { step: 'consolidate-facts', subject: 0, runAt });
}
