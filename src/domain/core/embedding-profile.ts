import { z } from 'zod';

/** The model that comes with Mnemograph: Universal Sentence Encoder lite, English. */
export const BUILT_IN_MODEL = 'use-lite-en/1';

const cosine = z.number().min(-1).max(1);

/**
 * How the cosines of an embedding model are to be read. The same cosine means different things with different models: two
 * texts about the same topic have 0.3 with one model and 0.8 with another.
 */
export const embeddingProfileSchema = z.object({
  /** The name of the model at its server. */
  model: z.string().min(1),
  /** The usual length of its vectors; null if unknown. */
  dimension: z.int().min(1).max(16_000).nullable(),
  /** Whether the numbers below were measured for this model. */
  calibrated: z.boolean(),
  /**
   * The scale of surprise, which is 1 − cosine of a turn and the decaying mean of the turns before: the median inside a topic,
   * and the value that one turn in twenty inside a topic exceeds. Used by `surpriseOf` in surprise.ts.
   */
  surprise: z.object({ typical: z.number().min(0).max(2), high: z.number().min(0).max(2) }),
  thresholds: z.object({
    /** Two turns and the two before them: below this cosine, a new topic is more likely. */
    topic: cosine,
    /** Two stretches of talk: above this cosine, the same topic is more likely. */
    novelty: cosine,
    /** Two statements: below this cosine they are not the same fact. From 0.95 they are. */
    sameFact: cosine,
  }),
  /** The weight of semantic similarity in the ranking, relative to 1 for BM25. */
  vectorWeight: z.number().min(0).max(10),
  /** Prefixes that the model expects before a text. */
  prefixes: z.object({ query: z.string().max(500), document: z.string().max(500) }),
  /** The most tokens (o200k_base) that it reads of a text; the rest is cut off. */
  maxTokens: z.int().min(16).max(1_000_000),
});

export type EmbeddingProfile = z.output<typeof embeddingProfileSchema>;
