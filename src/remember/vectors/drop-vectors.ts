import type { MemoryContext, Needs } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';

/** How long the vectors of a former embedder are kept beside complete new ones, in milliseconds. */
export const KEEP_FORMER = 3_600_000;

/** When to look again, in milliseconds. */
const LATER = 60_000;

/**
 * Deletes a user's vectors by former embedders, once those of the present one are complete. Planned
 * by embed-turns an hour ahead: until then a switch back finds everything as it was, and servers
 * that are being replaced one by one do not delete each other's work. Each switch begins the hour anew.
 */
export async function dropVectors(
  ctx: MemoryContext & Needs<'logger'>,
  userId: string,
): Promise<StepOutcome> {
  if (!ctx.embedder) return 'done';
  const { name } = ctx.embedder;
  // This step asks no model's server: embedding will, sooner or later.
  if (name === null) return new Date(ctx.clock().getTime() + LATER);
  const now = ctx.clock();
  const result = await ctx.memory(userId).write(
    async (memory) => {
      const { pending } = await memory.turnVectors.progress(name);
      const since = await memory.vectorIndex.currentSince(name);
      // embed-turns plans this step anew when it is through.
      if (pending > 0 || !since) return [];
      const due = new Date(since.getTime() + KEEP_FORMER);
      if (due > now) return due;
      const gone = await memory.vectorIndex.dropFormer(name);
      if (gone.length > 0) {
        const what = gone.map(({ embedder, vectors }) => `${vectors} by ${embedder}`).join(', ');
        const decision = `vectors.drop (${what}; complete by ${name})`;
        memory.record({ kind: 'VECTORS_DROPPED', decision });
      }
      return gone;
    },
    { lock: false },
  );
  if (result instanceof Date) return result;
  ctx.logger.info({ userId, dropped: result }, 'vectors.drop');
  return 'done';
}
