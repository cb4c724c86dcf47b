import type { Context } from '../context.ts';
import { gathered } from '../domain/job.ts';
import type { Memory } from '../memory.ts';

/** Has the steps look soon whether there is something to consolidate. */
export function wakeConsolidation(ctx: Context, memory: Memory): void {
  const runAt = gathered('consolidate', ctx.config.gather, ctx.clock());
  memory.wake({ step: 'consolidate', subject: 0, runAt });
  memory.wake({ step: 'consolidate-facts', subject: 0, runAt });
}
