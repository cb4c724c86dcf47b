import type { Context } from '../context.ts';
import { InvalidInput, NotFound } from '../domain/errors.ts';
import type { MemoryRating } from '../domain/forgetting.ts';
import { reviewOf } from './review.ts';

const BY_HAND = {
  generatedBy: null,
  model: null,
  threadId: null,
  afterTurnId: null,
  throughTurnId: null,
};

/**
 * Reviews an episode by hand, whenever its last review was: FSRS moves.
 * @throws NotFound
 * @throws InvalidInput when it is none that fades
 */
export async function rateMemory(
  ctx: Context,
  userId: string,
  episodeId: number,
  rating: MemoryRating,
): Promise<void> {
  const now = ctx.clock();
  await ctx.db.asUser(
    userId,
    async (tx) => {
      const { reviews, events } = ctx.store;
      const memory = await reviews.reviewable(tx, userId, episodeId);
      if (!memory) throw new NotFound('episode');
      const { stability } = memory;
      if (stability === null) {
        const message = 'must be an episode that fades: a SEGMENT whose capture is CREATED';
        throw new InvalidInput([{ path: 'id', message }]);
      }
      const review = reviewOf({ ...memory, stability }, rating, now, BY_HAND);
      await reviews.save(tx, userId, [review.draft], now);
      await events.append(tx, userId, review.event, now);
    },
    { lock: true },
  );
  ctx.announcer.announce(userId);
  ctx.logger.info({ userId, episode: episodeId, rating }, 'memory.review');
}
