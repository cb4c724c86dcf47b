import { z } from 'zod';
import { key, modelServer } from './server-settings.ts';
import { optional, wholeNumber } from './settings.ts';

/** The settings of the embedder. */
export const embeddingSettings = {
  EMBEDDER: z
    .enum(['built-in', 'openai', 'local', 'none'])
    .default('built-in')
    .describe(
      'What turns text into vectors: the built-in model (English), a model behind an OpenAI-compatible ' +
        'server, or a sentence-transformer in this process (docs/models.md). With "none", recall uses ' +
        'keywords only.',
    ),
  EMBEDDING_MODEL: optional(z.string()).describe(
    'The name of the embedding model, such as "text-embedding-3-small"; with EMBEDDER=local a folder, or a ' +
      'name on the hub such as "Xenova/all-MiniLM-L6-v2". After a change, everything is embedded again in the ' +
      'background.',
  ),
  EMBEDDING_DTYPE: z
    .enum(['fp32', 'fp16', 'q8'])
    .default('fp32')
    .describe(
      "With EMBEDDER=local: the number format of the model's weights. q8 needs a quarter of the memory of fp32.",
    ),
  EMBEDDING_BASE_URL: optional(modelServer('EMBEDDING_API_KEY')).describe(
    "The address of the embedder's OpenAI-compatible server. Defaults to OPENAI_BASE_URL.",
  ),
  EMBEDDING_API_KEY: optional(key).describe(
    "The API key for the embedder's server. Defaults to OPENAI_API_KEY if the server is the same.",
  ),
  EMBEDDING_DIMENSIONS: optional(z.coerce.number().int().min(1).max(16_000)).describe(
    "The vector length to request from the model. Defaults to the model's own.",
  ),
  EMBEDDING_PROFILE: optional(z.string()).describe(
    'A file that "npm run calibrate" wrote for the embedding model. Defaults to a built-in profile.',
  ),
  EMBEDDING_BATCH: wholeNumber(64, 2_048).describe(
    'The most texts in one request to the embedder.',
  ),
  EMBEDDING_MAX_TOKENS: optional(z.coerce.number().int().min(16).max(1_000_000)).describe(
    "How many tokens of a text the model reads; longer texts are cut. Defaults to the profile's value.",
  ),
};
