import type { Context } from '../context.ts';
import { NotFound } from '../domain/errors.ts';

export type ForgetTarget = Parameters<Context['store']['forget']['forget']>[2];
export type Forgotten = NonNullable<Awaited<ReturnType<Context['store']['forget']['forget']>>>;

/**
 * Erases a user, a thread, a turn or an episode with everything derived from it (system.md §11). Returns how
 * many rows of each kind are gone.
 * @throws NotFound when there is nothing of that name
 */
export async function forget(
  ctx: Context,
  userId: string,
  target: ForgetTarget,
): Promise<Forgotten> {
  const forgotten = await ctx.db.asUser(
    userId,
    async (tx) => {
      const gone = await ctx.store.forget.forget(tx, userId, target, ctx.clock());
      if (!gone) return null;
      const decision = `memory.forget ${target.kind} (${gone.turns} turns, ${gone.threads} threads)`;
      const details = { ...gone, target: target.kind };
      const event = { kind: 'MEMORY_FORGOTTEN' as const, decision, details };
      await ctx.store.events.append(tx, userId, event, ctx.clock());
      return gone;
    },
    { useReserve: ctx.embedded },
  );
  if (!forgotten) throw new NotFound(target.kind);
  ctx.turnCache.drop(userId);
  ctx.announcer.announce(userId);
  ctx.logger.info({ userId, target: target.kind, ...forgotten }, 'memory.forget');
  return forgotten;
}
