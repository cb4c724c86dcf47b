import type { MemoryContext, Needs } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { comparedTurns } from '../../domain/links/linking.ts';
import { HOUR, MINUTE } from '../../shared/duration.ts';

/** A caller's clock may not be further ahead than this, in milliseconds (see timeIssues). */
const AHEAD = HOUR;

/** Sets a thread to IDLE after it was silent for its timeout; until then, returns the time to run again. */
export async function idleThread(
  ctx: MemoryContext & Needs<'reasoner'>,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  return ctx.memory(userId).write(async (memory): Promise<StepOutcome> => {
    const { now } = memory;
    const thread = await memory.threads.find(threadId);
    if (thread?.state !== 'OPEN') return 'done';
    // A time further in the future comes from a wrong clock, so it is not waited for.
    const isAhead = thread.lastActivityAt.getTime() > now.getTime() + AHEAD;
    if (thread.idleAt > now && !isAhead) return thread.idleAt;
    await Promise.all([
      memory.threads.update({ ...thread, state: 'IDLE' }),
      memory.links.noteUnseen(comparedTurns(ctx.reasoner.generatedBy)),
    ]);
    const silence = Math.round((+thread.idleAt - +thread.lastActivityAt) / MINUTE);
    const decision = `thread.idle (silence over ${silence} min)`;
    memory.record({ kind: 'THREAD_IDLED', threadId, decision });
    memory.changed('threadOver', threadId);
    return 'done';
  });
}
