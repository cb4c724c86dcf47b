import type { MemoryContext, Needs } from '../../context.ts';
import type { MisplacedEpisode } from '../../db/episodes/misplaced-episodes.ts';
import { FACT_UPDATE } from '../../domain/episodes/capture.ts';

/** Finds the episodes that contain only fact updates (requirements 6.12), with those facts. Changes nothing. */
export const findMisplaced = (ctx: MemoryContext, userId: string): Promise<MisplacedEpisode[]> =>
  ctx.memory(userId).read((memory) => memory.misplacedEpisodes.find(boundsOf(ctx), null));

const boundsOf = ({ config }: Needs<'config'>) => ({
  factShare: FACT_UPDATE,
  notability: config.capture.notabilityMin,
});

/**
 * Sets misplaced episodes to SKIPPED. They are no longer recalled or summarised as episodes; their facts and turns still are.
 * @param episodeIds the episodes to consider; those that are not misplaced are left alone. null = all
 * @returns the ids of the episodes that were changed
 */
export function moveMisplaced(
  ctx: MemoryContext,
  userId: string,
  episodeIds: readonly number[] | null,
): Promise<number[]> {
  return ctx.memory(userId).write(
    async (memory) => {
      const found = await memory.misplacedEpisodes.find(boundsOf(ctx), episodeIds);
      const ids = found.map(({ episodeId }) => episodeId);
      if (ids.length === 0) return [];
      const skipped = await memory.misplacedEpisodes.skip(ids);
      await memory.semanticMemories.markStale(ids, memory.now);
      memory.changed('episodesDecided');
      const drafts = skipped.map(({ id, threadId, firstTurn, lastTurn }) => ({
        kind: 'EPISODE_SKIPPED' as const,
        threadId,
        episodeId: id,
        decision: `episodic.skip (fact update; turns ${firstTurn}-${lastTurn}, moved to their facts by hand)`,
      }));
      memory.record(drafts);
      return ids;
    },
    { request: 'moveMisplaced' },
  );
}
