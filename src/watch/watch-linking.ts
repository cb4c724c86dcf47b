import { Repeater, SlidingBuffer } from '@repeaterjs/repeater';
import type { Context } from '../context.ts';
import type { LinkingProgress } from '../domain/links/linking-progress.ts';

/** The most updates buffered for a slow subscriber; beyond them the oldest are dropped. */
const BUFFERED = 100;

/**
 * Streams the progress of linking and tuning from now on, including that for all users. Progress is not stored: what
 * happens without a subscriber is not repeated later.
 */
export function watchLinking(
  ctx: Context,
  userId: string,
): Repeater<LinkingProgress & { userId: string }> {
  return new Repeater(async (push, stop) => {
    const unsubscribe = ctx.publisher.onProgress((owner, progress) => {
      if (progress.of !== 'linking' || (owner !== null && owner !== userId)) return;
      void push({ userId, ...progress });
    });
    await stop;
    unsubscribe();
  }, new SlidingBuffer(BUFFERED));
}
