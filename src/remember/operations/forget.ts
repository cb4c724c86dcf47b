import type { RecallContext } from '../../context.ts';
import type { ForgetTarget } from '../../db/forget/forget.ts';
import type { Forgotten } from '../../db/kinds/erase.ts';
import { NotFound } from '../../domain/core/errors.ts';

/**
 * Erases a user, a thread, a turn, an episode or a fact with everything derived from it (requirements 16.5).
 * @returns how many rows of each kind were erased
 * @throws NotFound if the target does not exist
 */
export async function forget(
  ctx: RecallContext,
  userId: string,
  target: ForgetTarget,
): Promise<Forgotten> {
  const forgotten = await ctx.memory(userId).write(
    async (memory) => {
      const gone = await memory.forget.forget(target, memory.now);
      if (!gone) throw new NotFound(target.kind);
      // Drops the jobs that would derive data again: nothing of the user is left.
      if (target.kind === 'user') memory.take();
      const decision = `memory.forget ${target.kind} (${gone.turns} turns, ${gone.threads} threads)`;
      const details = { ...gone, target: target.kind };
      const event = { kind: 'MEMORY_FORGOTTEN' as const, decision, details };
      memory.record(event);
      return gone;
    },
    { lock: false, useReserve: ctx.db.embedded, request: 'forget' },
  );
  ctx.turnCache.drop(userId);
  ctx.logger.info({ userId, target: target.kind, ...forgotten }, 'memory.forget');
  return forgotten;
}
