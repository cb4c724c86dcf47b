import type { Context } from '../context.ts';
import { NotFound } from '../domain/errors.ts';

type Thread = NonNullable<Awaited<ReturnType<Context['store']['threads']['find']>>>;

/**
 * Has all turns of a thread compacted soon, whatever its state (seed 000 §4.1: by hand).
 * @throws NotFound
 */
export async function askCompaction(
  ctx: Context,
  userId: string,
  threadId: number,
): Promise<Thread> {
  const { compactions, jobs, threads } = ctx.store;
  const thread = await ctx.db.asUser(
    userId,
    async (tx) => {
      const found = await threads.find(tx, userId, threadId);
      if (!found) throw new NotFound('thread');
      await compactions.ask(tx, userId, threadId);
      const runAt = ctx.clock();
      await jobs.add(tx, userId, { step: 'compact-thread', subject: threadId, runAt });
      return found;
    },
    { lock: true },
  );
  ctx.announcer.announce(userId);
  return thread;
}
