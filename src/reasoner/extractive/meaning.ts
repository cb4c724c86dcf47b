import { cosine } from '../../domain/summary.ts';
import type { Embedder } from '../../embedder/embedder.ts';
import type { Call } from '../reasoner.ts';

/** Vectors for texts and how to compare them; the steps do without where there is no embedder. */
export type Meaning = {
  vectorsOf(texts: readonly string[]): Promise<Float32Array[]>;
  /** How alike two vectors are, on the scale of the model that the rules were fitted with. */
  likeness(a: Float32Array, b: Float32Array): number;
};

/** The cosine at which that model, Universal Sentence Encoder lite, parts same from other topics. */
const FITTED_AT = 0.494;

/** An embedder's vectors as background work; its cosines stretched to the scale of the rules. */
export function meaningBy(embedder: Embedder, { userId, signal }: Call): Meaning {
  const { novelty } = embedder.profile.thresholds;
  const stretch = novelty < 1 ? (1 - FITTED_AT) / (1 - novelty) : 1;
  return {
    vectorsOf: (texts) =>
      embedder.embed(texts, {
        priority: 'batch',
        as: 'document',
        userId,
        ...(signal ? { signal } : {}),
      }),
    likeness: (a, b) => Math.max(-1, 1 - (1 - cosine(a, b)) * stretch),
  };
}
