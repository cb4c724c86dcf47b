import type { MemoryContext } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { DAY } from '../../shared/duration.ts';

/** Drops a user's events that are past their retention; runs again when the next one will be. */
export async function trimEvents(ctx: MemoryContext, userId: string): Promise<StepOutcome> {
  const retention = ctx.config.events.retentionDays * DAY;
  const oldest = await ctx
    .memory(userId)
    .write((memory) => memory.events.trim(new Date(memory.now.getTime() - retention)), {
      lock: false,
    });
  return oldest ? new Date(oldest.getTime() + retention + 1) : 'done';
}
