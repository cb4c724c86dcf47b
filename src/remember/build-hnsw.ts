import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';

const BATCH = 500;

/** Enters the vectors of a large memory into the HNSW index, a batch at a time (system.md §8). */
export async function buildHnsw(ctx: Context, userId: string): Promise<StepOutcome> {
  const { name, dimension } = ctx.embedder ?? { name: null, dimension: null };
  if (name === null || dimension === null) return 'done';
  const { hnsw } = ctx.store;
  await hnsw.ensure(ctx.db, dimension);
  const left = await ctx.db.asUser(userId, async (tx) => {
    const { turns, through, embedded } = await hnsw.state(tx, userId, name, dimension);
    if (turns < ctx.config.recall.hnswFrom || through >= embedded) return 0;
    return embedded - (await hnsw.enter(tx, userId, name, { through, embedded, most: BATCH }));
  });
  ctx.logger.debug({ userId, left }, 'vectors.hnsw');
  return left > 0 ? 'again' : 'done';
}
