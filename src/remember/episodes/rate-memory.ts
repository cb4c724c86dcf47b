import type { MemoryContext, Needs } from '../../context.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import type { MemoryRating } from '../../domain/episodes/forgetting.ts';
import { reviewOf } from './review.ts';

const BY_HAND = {
  generatedBy: null,
  model: null,
  threadId: null,
  afterTurnId: null,
  throughTurnId: null,
};

/**
 * Reviews an episode by hand and updates its FSRS state, however recent its last review was.
 * @throws NotFound
 * @throws InvalidInput if it is not an episode that fades
 */
export async function rateMemory(
  ctx: MemoryContext & Needs<'logger'>,
  userId: string,
  { episodeId, rating }: { episodeId: number; rating: MemoryRating },
): Promise<void> {
  await ctx.memory(userId).write(async (memory) => {
    const episode = await memory.reviews.reviewable(episodeId);
    if (!episode) throw new NotFound('episode');
    const { stability } = episode;
    if (stability === null) {
      const message =
        'must be an episode that fades: a SEGMENT whose capture is CREATED, or a CROSS_THREAD';
      throw new InvalidInput([{ path: 'id', message }]);
    }
    const review = reviewOf({ ...episode, stability }, { rating, at: memory.now, judge: BY_HAND });
    await memory.reviews.save([review.draft], memory.now);
    memory.record(review.event);
  });
  ctx.logger.info({ userId, episode: episodeId, rating }, 'memory.review');
}
