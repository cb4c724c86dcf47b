import type { MemoryContext, Needs } from '../context.ts';
import type { Hit } from './assemble.ts';

/** The episodes among hits, by their ids. */
export const episodesOf = (hits: readonly Hit[]): number[] =>
  hits.flatMap((hit) => (hit.kind === 'EPISODE' ? hit.episode.id : []));

/**
 * Records the impression that episodes were shown in a thread, so that they are reviewed by how the talk continues
 * (requirements 7.7). It never throws: a failure is logged and does not affect the recall, which need not wait for it.
 * @param shown `now` in event time; with `threadId` null nothing is recorded
 */
export async function recordImpression(
  ctx: MemoryContext & Needs<'logger'>,
  userId: string,
  shown: { threadId: number | null; episodeIds: readonly number[]; now: Date },
): Promise<void> {
  const { threadId, episodeIds, now } = shown;
  if (threadId === null || episodeIds.length === 0) return;
  try {
    await ctx
      .memory(userId)
      .write((memory) => memory.reviews.recordImpressions(threadId, episodeIds, now), {
        lock: false,
      });
  } catch (error) {
    const episodes = episodeIds.length;
    ctx.logger.warn({ err: error, userId, threadId, episodes }, 'memory.note_failed');
  }
}
