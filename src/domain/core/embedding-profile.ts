import { z } from 'zod';

/** The model that comes with Mnemograph: Universal Sentence Encoder lite, English. */
export const BUILT_IN_MODEL = 'use-lite-en/1';

const cosine = z.number().min(-1).max(1);

/**
 * How an embedding model's numbers are to be read. Cosines of different models do not mean the
 * same: what is "about the same topic" lies at 0.3 with one and at 0.8 with another.
 */
export const embeddingProfileSchema = z.object({
  /** The model, as its server calls it. */
  model: z.string().min(1),
  /** The usual length of its vectors; null where it is not known. */
  dimension: z.int().min(1).max(16_000).nullable(),
  /** Whether the numbers below were measured for this model. */
  calibrated: z.boolean(),
  /**
   * The scale of surprise: 1 − cosine of a turn and the decaying mean of what came before, as it is
   * in the middle of a topic (median) and as only one turn in twenty inside a topic exceeds it. See
   * `surpriseOf` in surprise.ts for what becomes of it.
   */
  surprise: z.object({ typical: z.number().min(0).max(2), high: z.number().min(0).max(2) }),
  thresholds: z.object({
    /** Two turns and the two before them: below this cosine another topic is likelier. */
    topic: cosine,
    /** Two stretches of talk: above this cosine the second is likelier about the same thing. */
    novelty: cosine,
    /** Two statements: below this cosine they are not the same fact (from 0.95 on they are). */
    sameFact: cosine,
  }),
  /** What nearness in meaning counts in the ranking, where BM25 counts 1. */
  vectorWeight: z.number().min(0).max(10),
  /** What the model wants to read before a text. */
  prefixes: z.object({ query: z.string().max(500), document: z.string().max(500) }),
  /** What it reads of a text; the rest is cut off. Tokens of o200k_base. */
  maxTokens: z.int().min(16).max(1_000_000),
});

export type EmbeddingProfile = z.output<typeof embeddingProfileSchema>;
