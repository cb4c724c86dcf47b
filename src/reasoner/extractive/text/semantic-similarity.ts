import { ModelFailed, ModelUnavailable } from '../../../domain/core/errors.ts';
import { fittedCosine } from '../../../domain/core/vector.ts';
import { type Embedder, EmbedderFailed } from '../../../embedder/core/embedder.ts';
import type { Call } from '../../reasoner.ts';

/** Vectors for texts and how to compare them; the steps do without where there is no embedder. */
export type SemanticSimilarity = {
  vectorsOf(texts: readonly string[]): Promise<Float32Array[]>;
  /** How alike two vectors are, on the scale of the model that the rules were fitted with. */
  likeness(a: Float32Array, b: Float32Array): number;
};

/** An embedder's vectors as background work; its cosines stretched to the scale of the rules. */
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

/** Whether an error means that there are no vectors to be had, rather than a defect. */
export const isWithoutVectors = (error: unknown): boolean =>
  error instanceof EmbedderFailed ||
  error instanceof ModelFailed ||
  error instanceof ModelUnavailable;

/**
 * Work with vectors; by words where there are none or the embedder cannot give them: a description
 * by words now is better than one hours later.
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
