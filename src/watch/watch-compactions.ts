import { Repeater, SlidingBuffer } from '@repeaterjs/repeater';
import type { Context } from '../context.ts';
import type { CompactionProgress } from '../domain/episodes/compaction.ts';

/** Steps of progress kept for a listener that is slow; the oldest go first. */
const BUFFERED = 100;

/** How the compactions of a user's threads go on, from now on; of one thread if given. Nothing is kept. */
export function watchCompactions(
  ctx: Context,
  userId: string,
  threadId: number | null,
): Repeater<CompactionProgress & { userId: string }> {
  return new Repeater(async (push, stop) => {
    const unsubscribe = ctx.announcer.onProgress((whose, progress) => {
      if (progress.of !== 'compaction' || whose !== userId) return;
      if (threadId !== null && progress.threadId !== threadId) return;
      void push({ userId, ...progress });
    });
    await stop;
    unsubscribe();
  }, new SlidingBuffer(BUFFERED));
}
