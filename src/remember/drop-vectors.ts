import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';

/** When to look again, in milliseconds. */
const LATER = 60_000;

/**
 * Deletes a user's vectors by former embedders, once those of the present one are complete. Planned
 * by embed-turns an hour ahead: until then a switch back finds everything as it was, and servers
 * that are being replaced one by one do not delete each other's work.
 */
export async function dropVectors(ctx: Context, userId: string): Promise<StepOutcome> {
  if (!ctx.embedder) return 'done';
  const { vectorIndex, events } = ctx.store;
  const { name } = ctx.embedder;
  // This step asks no model's server: embedding will, sooner or later.
  if (name === null) return new Date(ctx.clock().getTime() + LATER);
  const dropped = await ctx.db.asUser(userId, async (tx) => {
    const { pending } = await vectorIndex.progress(tx, userId, name);
    // embed-turns plans this step anew when it is through.
    if (pending > 0) return [];
    const gone = await vectorIndex.dropFormer(tx, userId, name);
    if (gone.length > 0) {
      const what = gone.map(({ embedder, vectors }) => `${vectors} by ${embedder}`).join(', ');
      const decision = `vectors.drop (${what}; complete by ${name})`;
      await events.append(tx, userId, { kind: 'VECTORS_DROPPED', decision }, ctx.clock());
    }
    return gone;
  });
  if (dropped.length > 0) ctx.announcer.announce(userId);
  ctx.logger.info({ userId, dropped }, 'vectors.drop');
  return 'done';
}
