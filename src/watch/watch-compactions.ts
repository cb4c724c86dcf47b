import { Repeater, SlidingBuffer } from '@repeaterjs/repeater';
import type { Context } from '../context.ts';
import type { CompactionProgress } from '../domain/episodes/compaction.ts';

/** The most updates buffered for a slow subscriber; beyond them the oldest are dropped. */
const BUFFERED = 100;

/**
 * Streams the progress of compactions from now on. Progress is not stored: what happens without a subscriber is not
 * repeated later.
 * @param threadId limits the stream to one thread; null = all threads of the user
 */
export function watchCompactions(
  ctx: Context,
  userId: string,
  threadId: number | null,
): Repeater<CompactionProgress & { userId: string }> {
  return new Repeater(async (push, stop) => {
    const unsubscribe = ctx.publisher.onProgress((owner, progress) => {
      if (progress.of !== 'compaction' || owner !== userId) return;
      if (threadId !== null && progress.threadId !== threadId) return;
      void push({ userId, ...progress });
    });
    await stop;
    unsubscribe();
  }, new SlidingBuffer(BUFFERED));
}
