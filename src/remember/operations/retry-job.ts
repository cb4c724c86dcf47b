import type { Context } from '../../context.ts';

/**
 * Makes a dead or waiting background step due at once.
 * @returns false when the user has no such step, or it is running
 */
export async function retryJob(
  ctx: Context,
  userId: string,
  { step, subject }: { step: string; subject: number },
): Promise<boolean> {
  return ctx.memory(userId).write(
    async (memory) => {
      const isFound = await memory.jobs.retry(step, subject, memory.now);
      if (isFound) memory.touched();
      return isFound;
    },
    { lock: false },
  );
}
