import type { Context } from '../context.ts';

/**
 * Notes which episodes were shown in a thread, so that they are reviewed by the talk that follows (requirements 7.7). Never
 * fails: what cannot be noted is logged, and the recall stands. A recall need not wait for it, or does so while it
 * fetches its texts.
 * @param now when they were shown, in event time
 */
export async function noteShown(
  ctx: Context,
  userId: string,
  { threadId, episodeIds, now }: { threadId: number; episodeIds: readonly number[]; now: Date },
): Promise<void> {
  if (episodeIds.length === 0) return;
  try {
    await ctx
      .memory(userId)
      .write((memory) => memory.reviews.note(threadId, episodeIds, now), { lock: false });
  } catch (error) {
    const episodes = episodeIds.length;
    ctx.logger.warn({ err: error, userId, threadId, episodes }, 'memory.note_failed');
  }
}
