import type { Context } from '../context.ts';
import type { Backlog } from '../db/operations/backlog.ts';

export type { Backlog };

/** How far the background work on a user's memory is behind. */
export const readBacklog = (ctx: Context, userId: string): Promise<Backlog> =>
  ctx.memory(userId).read((memory) => memory.backlog.read(ctx.embedder?.name ?? null, memory.now));
