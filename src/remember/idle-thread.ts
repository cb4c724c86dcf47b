import type { Context } from '../context.ts';
import { gathered, type StepOutcome } from '../domain/job.ts';
import { OPENING } from '../domain/linking.ts';

/** Lets a thread turn idle once it was silent for its timeout; asks to be woken again if it was not. */
export async function idleThread(
  ctx: Context,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const { threads, events, jobs, links } = ctx.store;
  const now = ctx.clock();
  const outcome = await ctx.db.asUser(
    userId,
    async (tx): Promise<StepOutcome> => {
      const thread = await threads.find(tx, userId, threadId);
      if (thread?.state !== 'OPEN') return 'done';
      if (thread.idleAt > now) return thread.idleAt;
      await threads.update(tx, { ...thread, state: 'IDLE' });
      const silence = Math.round((+thread.idleAt - +thread.lastActivityAt) / 60_000);
      const decision = `thread.idle (silence over ${silence} min)`;
      await events.append(tx, userId, { kind: 'THREAD_IDLED', threadId, decision }, now);
      const segmentAt = gathered('segment-thread', ctx.config.gather, now);
      await jobs.add(tx, userId, { step: 'segment-thread', subject: threadId, runAt: segmentAt });
      await jobs.add(tx, userId, { step: 'extract-facts', subject: 0, runAt: now });
      await jobs.add(tx, userId, { step: 'trim-events', subject: 0, runAt: now });
      await links.wake(tx, userId, OPENING, now);
      return 'done';
    },
    { lock: true },
  );
  if (outcome === 'done') ctx.announcer.announce(userId);
  return outcome;
}
