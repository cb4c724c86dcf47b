import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';

/** How long the vectors of a former embedder are kept beside complete new ones, in milliseconds. */
export const KEEP_FORMER = 3_600_000;

/** When to look again, in milliseconds. */
const LATER = 60_000;

/**
 * Deletes a user's vectors by former embedders, once those of the present one are complete. Planned
 * by embed-turns an hour ahead: until then a switch back finds everything as it was, and servers
 * that are being replaced one by one do not delete each other's work. Each switch begins the hour anew.
 */
export async function dropVectors(ctx: Context, userId: string): Promise<StepOutcome> {
  if (!ctx.embedder) return 'done';
  const { vectorIndex, events } = ctx.store;
  const { name } = ctx.embedder;
  // This step asks no model's server: embedding will, sooner or later.
  if (name === null) return new Date(ctx.clock().getTime() + LATER);
  const now = ctx.clock();
  const result = await ctx.db.asUser(userId, async (tx) => {
    const { pending } = await vectorIndex.progress(tx, userId, name);
    const since = await vectorIndex.currentSince(tx, userId, name);
    // embed-turns plans this step anew when it is through.
    if (pending > 0 || !since) return [];
    const due = new Date(since.getTime() + KEEP_FORMER);
    if (due > now) return due;
    const gone = await vectorIndex.dropFormer(tx, userId, name);
    if (gone.length > 0) {
      const what = gone.map(({ embedder, vectors }) => `${vectors} by ${embedder}`).join(', ');
      const decision = `vectors.drop (${what}; complete by ${name})`;
      await events.append(tx, userId, { kind: 'VECTORS_DROPPED', decision }, now);
    }
    return gone;
  });
  if (result instanceof Date) return result;
  if (result.length > 0) ctx.announcer.announce(userId);
  ctx.logger.info({ userId, dropped: result }, 'vectors.drop');
  return 'done';
}
