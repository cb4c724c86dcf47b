import type { Context } from '../context.ts';
import { FACT_UPDATE } from '../domain/capture.ts';
import { wakeConsolidation } from './wake-consolidation.ts';

/** Episodes that are only updates of facts (seed 002, "Migration Plan"), and their facts. Nothing is changed. */
export const findMisplaced = (ctx: Context, userId: string) =>
  ctx.db.asUser(userId, (tx) => ctx.store.misplacedEpisodes.find(tx, userId, boundsOf(ctx), null));

const boundsOf = ({ config }: Context) => ({
  factShare: FACT_UPDATE,
  notability: config.capture.notabilityMin,
});

/**
 * Leaves such episodes to their facts: they are recalled and summarised no longer, and stay on record as skipped.
 * @param episodeIds only those of these that are; null = all that are found
 * @returns the ids of those that were moved
 */
export async function moveMisplaced(
  ctx: Context,
  userId: string,
  episodeIds: readonly number[] | null,
): Promise<number[]> {
  const { misplacedEpisodes, semanticMemories, events } = ctx.store;
  const moved = await ctx.db.asUser(
    userId,
    async (tx) => {
      const found = await misplacedEpisodes.find(tx, userId, boundsOf(ctx), episodeIds);
      const ids = found.map(({ episodeId }) => episodeId);
      if (ids.length === 0) return [];
      const now = ctx.clock();
      const skipped = await misplacedEpisodes.skip(tx, userId, ids);
      await semanticMemories.markStale(tx, userId, ids, now);
      await wakeConsolidation(ctx, tx, userId);
      const drafts = skipped.map(({ id, threadId, firstTurn, lastTurn }) => ({
        kind: 'EPISODE_SKIPPED' as const,
        threadId,
        episodeId: id,
        decision: `episodic.skip (fact update; turns ${firstTurn}-${lastTurn}, moved to their facts by hand)`,
      }));
      await events.append(tx, userId, drafts, now);
      return ids;
    },
    { lock: true },
  );
  if (moved.length > 0) ctx.announcer.announce(userId);
  return moved;
}
