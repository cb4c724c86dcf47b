import type { MemoryContext, Needs } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';

const BATCH = 500;

/** Enters the vectors of a large memory into the HNSW index, a batch at a time (requirements 12.7). */
export async function buildHnsw(
  ctx: MemoryContext & Needs<'deployment' | 'logger'>,
  userId: string,
): Promise<StepOutcome> {
  const { name, dimension } = ctx.embedder ?? { name: null, dimension: null };
  if (name === null || dimension === null) return 'done';
  await ctx.deployment().hnsw.ensure(dimension);
  const left = await ctx.memory(userId).write(
    async (memory) => {
      const { turns, through, embedded } = await memory.hnsw.state(name, dimension);
      if (turns < ctx.config.recall.hnswFrom || through >= embedded) return 0;
      return embedded - (await memory.hnsw.enter(name, { through, embedded, most: BATCH }));
    },
    { lock: false },
  );
  ctx.logger.debug({ userId, left }, 'vectors.hnsw');
  return left > 0 ? 'again' : 'done';
}
