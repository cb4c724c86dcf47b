import type { MemoryContext } from '../../context.ts';

/**
 * Makes a dead, parked or waiting job due at once.
 * @returns false if the user has no such job, or it is running
 */
export async function retryJob(
  ctx: MemoryContext,
  userId: string,
  { step, subject }: { step: string; subject: number },
): Promise<boolean> {
  return ctx.memory(userId).write(
    async (memory) => {
      const isFound = await memory.jobs.retry(step, subject, memory.now);
      if (isFound) memory.publishAnyway();
      return isFound;
    },
    { lock: false },
  );
}
