import type { Reviewable, ReviewDraft } from '../../db/episodes/reviews.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { fadesSince, type MemoryRating, reviewed } from '../../domain/episodes/forgetting.ts';

export type Review = { draft: ReviewDraft; event: EventDraft };

/** What rates an episode, and the turns it is rated by. */
type Judge = Pick<
  ReviewDraft,
  'generatedBy' | 'model' | 'threadId' | 'afterTurnId' | 'throughTurnId'
>;

/** Applies a rating to an episode. @returns the review to store, and its event */
export function reviewOf(
  memory: Omit<Reviewable, 'shownAt'>,
  { rating, at, judge }: { rating: MemoryRating; at: Date; judge: Judge },
): Review {
  const { episodeId, stability, difficulty, endedAt, lastReviewedAt } = memory;
  const since = fadesSince(endedAt, lastReviewedAt);
  const after = reviewed({ stability, difficulty, since }, rating, at);
  const stabilityChange = `stability ${stability.toFixed(2)} → ${after.stability.toFixed(2)}`;
  const difficultyChange = `difficulty ${difficulty.toFixed(2)} → ${after.difficulty.toFixed(2)}`;
  const decision = `memory.review (${rating} by ${judge.model ?? 'hand'}; ${stabilityChange} days, ${difficultyChange})`;
  return {
    draft: {
      ...judge,
      episodeId,
      rating,
      at: after.since,
      stability: after.stability,
      difficulty: after.difficulty,
      stabilityBefore: stability,
      difficultyBefore: difficulty,
    },
    event: { kind: 'MEMORY_REVIEWED', episodeId, decision, details: { rating } },
  };
}
