import type { MemoryContext } from '../../context.ts';
import type { ThreadRow as Thread } from '../../db/threads/threads.ts';
import { NotFound } from '../../domain/core/errors.ts';

/**
 * Requests a compaction of all turns of a thread, whatever its state (requirements 8.1). It runs in the background.
 * @throws NotFound
 */
export function askCompaction(
  ctx: MemoryContext,
  userId: string,
  threadId: number,
): Promise<Thread> {
  return ctx.memory(userId).write(
    async (memory) => {
      const found = await memory.threads.find(threadId);
      if (!found) throw new NotFound('thread');
      await memory.compactions.ask(threadId);
      memory.changed('compactionRequested', threadId);
      return found;
    },
    { request: 'askCompaction' },
  );
}
