import type { Context } from '../context.ts';
import { gathered, type StepOutcome } from '../domain/job.ts';
import { comparedTurns } from '../domain/linking.ts';

/** So far ahead no caller's clock may be, in milliseconds (see timeIssues). */
const AHEAD = 3_600_000;

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
      // What was said in the future was said by a clock that was wrong: nobody waits for it to come there.
      const isAhead = thread.lastActivityAt.getTime() > now.getTime() + AHEAD;
      if (thread.idleAt > now && !isAhead) return thread.idleAt;
      await threads.update(tx, { ...thread, state: 'IDLE' });
      const silence = Math.round((+thread.idleAt - +thread.lastActivityAt) / 60_000);
      const decision = `thread.idle (silence over ${silence} min)`;
      await events.append(tx, userId, { kind: 'THREAD_IDLED', threadId, decision }, now);
      const segmentAt = gathered('segment-thread', ctx.config.gather, now);
      await jobs.add(tx, userId, { step: 'segment-thread', subject: threadId, runAt: segmentAt });
      await jobs.add(tx, userId, { step: 'extract-facts', subject: 0, runAt: now });
      await jobs.add(tx, userId, { step: 'trim-events', subject: 0, runAt: now });
      await links.wake(tx, userId, comparedTurns(ctx.reasoner.generatedBy), now);
      return 'done';
    },
    { lock: true },
  );
  if (outcome === 'done') ctx.announcer.announce(userId);
  return outcome;
}
