import type { MemoryContext } from '../context.ts';
import type { Backlog } from '../db/operations/backlog.ts';

export type { Backlog };

/** The background work that is queued for a user's memory. */
export const readBacklog = (ctx: MemoryContext, userId: string): Promise<Backlog> =>
  ctx.memory(userId).read((memory) => memory.backlog.read(ctx.embedder?.name ?? null, memory.now));
