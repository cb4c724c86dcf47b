import { Repeater, SlidingBuffer } from '@repeaterjs/repeater';
import type { Context } from '../context.ts';
import type { LinkingProgress } from '../domain/links/linking-progress.ts';

/** Steps of progress kept for a listener that is slow; the oldest go first. */
const BUFFERED = 100;

/** How the linking of a user's threads goes on, from now on. Nothing is kept. */
export function watchLinking(
  ctx: Context,
  userId: string,
): Repeater<LinkingProgress & { userId: string }> {
  return new Repeater(async (push, stop) => {
    const unsubscribe = ctx.announcer.onProgress((whose, progress) => {
      if (progress.of !== 'linking' || (whose !== null && whose !== userId)) return;
      void push({ userId, ...progress });
    });
    await stop;
    unsubscribe();
  }, new SlidingBuffer(BUFFERED));
}
