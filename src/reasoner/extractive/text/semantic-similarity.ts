import { ModelFailed, ModelUnavailable } from '../../../domain/core/errors.ts';
import { fittedCosine } from '../../../domain/core/vector.ts';
import { type Embedder, EmbedderFailed } from '../../../embedder/core/embedder.ts';
import type { Call } from '../../reasoner.ts';

/** Vectors of texts and how to compare them. Null without an embedder: the steps then compare by words. */
export type SemanticSimilarity = {
  vectorsOf(texts: readonly string[]): Promise<Float32Array[]>;
  /** The similarity of two vectors, on the scale of the model with which the rules were fitted. */
  likeness(a: Float32Array, b: Float32Array): number;
};

/** Creates a semantic similarity from an embedder. It embeds as background work and scales the cosines for the rules. */
export function semanticSimilarityBy(
  embedder: Embedder,
  { userId, signal }: Call,
): SemanticSimilarity {
  const likeness = fittedCosine(embedder.profile.thresholds.novelty);
  return {
    vectorsOf: (texts) =>
      embedder.embed(texts, {
        priority: 'batch',
        as: 'document',
        userId,
        ...(signal ? { signal } : {}),
      }),
    likeness: (a, b) => Math.max(-1, likeness(a, b)),
  };
}

/** Whether an error means that no vectors are available, rather than a defect. */
export const isWithoutVectors = (error: unknown): boolean =>
  error instanceof EmbedderFailed ||
  error instanceof ModelFailed ||
  error instanceof ModelUnavailable;

/**
 * Runs `work` with vectors, and again without them if the embedder is unavailable: a result by words now is better than
 * one by vectors hours later.
 */
export async function withOrWithout<T>(
  similarity: SemanticSimilarity | null,
  work: (similarity: SemanticSimilarity | null) => Promise<T>,
): Promise<T> {
  try {
    return await work(similarity);
  } catch (error) {
    if (similarity === null || !isWithoutVectors(error)) throw error;
    return work(null);
  }
}
