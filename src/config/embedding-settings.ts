import { z } from 'zod';
import { key, modelServer } from './server-settings.ts';
import { count, optional } from './settings.ts';

/** The settings of what turns text into vectors. */
export const embeddingSettings = {
  EMBEDDER: z
    .enum(['built-in', 'openai', 'local', 'none'])
    .default('built-in')
    .describe(
      'What turns text into vectors: the built-in model (English), one behind an OpenAI-compatible server, or a sentence-transformer in this process (docs/models.md); "none" leaves recall to keywords.',
    ),
  EMBEDDING_MODEL: optional(z.string()).describe(
    'Name of the embedding model, such as "text-embedding-3-small"; with EMBEDDER=local a folder, or a name on the hub such as "Xenova/all-MiniLM-L6-v2". Another one re-embeds everything in the background.',
  ),
  EMBEDDING_DTYPE: z
    .enum(['fp32', 'fp16', 'q8'])
    .default('fp32')
    .describe(
      "With EMBEDDER=local: the numbers of the model's weights; q8 takes a quarter of fp32.",
    ),
  EMBEDDING_BASE_URL: optional(modelServer('EMBEDDING_API_KEY')).describe(
    'Address of the OpenAI-compatible server of the embedder; OPENAI_BASE_URL if left out.',
  ),
  EMBEDDING_API_KEY: optional(key).describe(
    'Its key, if it wants one; OPENAI_API_KEY if left out and the server is the same.',
  ),
  EMBEDDING_DIMENSIONS: optional(z.coerce.number().int().min(1).max(16_000)).describe(
    "How many numbers of a vector to ask the model for; the model's own length if left out.",
  ),
  EMBEDDING_PROFILE: optional(z.string()).describe(
    'File that "npm run calibrate" wrote for the embedding model; otherwise a profile that is built in.',
  ),
  EMBEDDING_BATCH: count(64, 2_048).describe('Most texts of one request to the embedder.'),
  EMBEDDING_MAX_TOKENS: optional(z.coerce.number().int().min(16).max(1_000_000)).describe(
    "What the model reads of a text, in tokens; longer texts are cut. The profile's if left out.",
  ),
};
