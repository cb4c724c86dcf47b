import type { Context } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { comparedTurns } from '../../domain/links/linking.ts';

/** So far ahead no caller's clock may be, in milliseconds (see timeIssues). */
const AHEAD = 3_600_000;

/** Makes a thread IDLE after it was silent for its timeout; until then, asks to run again later. */
export async function idleThread(
  ctx: Context,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  return ctx.memory(userId).write(async (memory): Promise<StepOutcome> => {
    const { now } = memory;
    const thread = await memory.threads.find(threadId);
    if (thread?.state !== 'OPEN') return 'done';
    // What was said in the future was said by a clock that was wrong: nobody waits for it to come there.
    const isAhead = thread.lastActivityAt.getTime() > now.getTime() + AHEAD;
    if (thread.idleAt > now && !isAhead) return thread.idleAt;
    await memory.threads.update({ ...thread, state: 'IDLE' });
    const silence = Math.round((+thread.idleAt - +thread.lastActivityAt) / 60_000);
    const decision = `thread.idle (silence over ${silence} min)`;
    memory.record({ kind: 'THREAD_IDLED', threadId, decision });
    memory.changed('threadOver', threadId);
    await memory.links.noteUnseen(comparedTurns(ctx.reasoner.generatedBy));
    return 'done';
  });
}
