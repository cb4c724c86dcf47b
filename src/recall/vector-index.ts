import type { MemoryContext, Needs } from '../context.ts';
import type { EmbeddingProfile } from '../domain/core/embedding-profile.ts';

/** How many of a user's turns have vectors by the current embedder. */
export type VectorIndex = {
  /** Null until a model's server has named its model. */
  embedder: string | null;
  total: number;
  embedded: number;
  pending: number;
  skipped: number;
  /** The share of turns that are processed, embedded or skipped; 0-1. */
  share: number;
};

/** Null when vectors are switched off. */
export async function vectorIndexOf(
  ctx: MemoryContext,
  userId: string,
): Promise<VectorIndex | null> {
  if (!ctx.embedder) return null;
  const embedder = ctx.embedder.name;
  const { total, embedded, pending } = await ctx
    .memory(userId)
    .read((memory) => memory.turnVectors.progress(embedder ?? ''));
  const skipped = Math.max(0, total - pending - embedded);
  const share = total === 0 ? 1 : (total - pending) / total;
  return { embedder, total, embedded, pending, skipped, share };
}

/** The deployment's embedder and its backlog. */
export type EmbeddingStatus = {
  name: string | null;
  dimension: number | null;
  profile: EmbeddingProfile;
  usersPending: number;
  turnsPending: number;
};

/** Null when vectors are switched off. */
export async function embeddingStatus(
  ctx: Needs<'db' | 'deployment' | 'embedder'>,
): Promise<EmbeddingStatus | null> {
  if (!ctx.embedder) return null;
  const { name, dimension, profile } = ctx.embedder;
  const { users, turns } = await ctx.deployment().vectorIndex.status(name ?? '');
  return { name, dimension, profile, usersPending: users, turnsPending: turns };
}
