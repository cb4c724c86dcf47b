import { readFileSync } from 'node:fs';
import {
  BUILT_IN_MODEL,
  type EmbeddingProfile,
  embeddingProfileSchema,
} from '../domain/core/embedding-profile.ts';
import type { Env } from './env.ts';
import { InvalidEnvironment } from './invalid-environment.ts';
import { requireKey } from './read-env.ts';

type EmbeddingServer = {
  baseUrl: string;
  apiKey: string | null;
  model: string;
  dimensions: number | null;
  /** The most texts in one request. */
  batch: number;
};

/** The embedding model. */
export type EmbeddingConfig = {
  /** The profile in the file EMBEDDING_PROFILE; null = a built-in profile. */
  profile: EmbeddingProfile | null;
  /** The most tokens of a text that are embedded; null = the value of the profile. */
  maxTokens: number | null;
  /** With EMBEDDER=openai; null otherwise. */
  server: EmbeddingServer | null;
  /** With EMBEDDER=local; null otherwise. */
  local: { model: string; dtype: Env['EMBEDDING_DTYPE'] } | null;
};

/** Reads the settings of the embedder. @throws InvalidEnvironment naming the setting that is wrong or missing */
export function readEmbedding(env: Env): EmbeddingConfig {
  const server = env.EMBEDDER === 'openai' ? readServer(env) : null;
  const profile = env.EMBEDDING_PROFILE ? readProfile(env.EMBEDDING_PROFILE) : null;
  const local = env.EMBEDDER === 'local' ? readLocal(env) : null;
  // The profile of a local model is checked later: the name of the model comes from its files.
  if (profile && !local) checkProfile(profile, server);
  return { profile, maxTokens: env.EMBEDDING_MAX_TOKENS ?? null, server, local };
}

function readLocal({ EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS, EMBEDDING_DTYPE: dtype }: Env) {
  if (!model) {
    throw new InvalidEnvironment(
      'EMBEDDING_MODEL: with EMBEDDER=local, set the folder of a model or its name on the hub; see docs/models.md',
    );
  }
  if (EMBEDDING_DIMENSIONS !== undefined) {
    throw new InvalidEnvironment(
      'EMBEDDING_DIMENSIONS: must not be set with EMBEDDER=local; the model determines the length of its vectors',
    );
  }
  return { model, dtype };
}

function readServer(env: Env): EmbeddingServer {
  if (!env.EMBEDDING_MODEL) {
    throw new InvalidEnvironment('EMBEDDING_MODEL: say which model to use with EMBEDDER=openai');
  }
  const baseUrl = env.EMBEDDING_BASE_URL ?? env.OPENAI_BASE_URL;
  const { origin } = new URL(baseUrl);
  // The key for one server is never sent to another.
  const sharedKey = origin === new URL(env.OPENAI_BASE_URL).origin ? env.OPENAI_API_KEY : undefined;
  const apiKey = env.EMBEDDING_API_KEY ?? sharedKey ?? null;
  requireKey(apiKey, baseUrl, { key: 'EMBEDDING_API_KEY', url: 'EMBEDDING_BASE_URL' });
  const { EMBEDDING_MODEL: model, EMBEDDING_BATCH: batch } = env;
  return { baseUrl, apiKey, model, dimensions: env.EMBEDDING_DIMENSIONS ?? null, batch };
}

function readProfile(path: string): EmbeddingProfile {
  const refusal = (problem: string) =>
    new InvalidEnvironment(
      `EMBEDDING_PROFILE: ${path} ${problem}; write it again with "npm run calibrate", or remove the setting`,
    );
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw refusal(code ? `cannot be read (${code})` : 'is not JSON');
  }
  const result = embeddingProfileSchema.safeParse(content);
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => issue.path.join('.') || 'the whole file');
  throw refusal(`is not a profile (wrong: ${[...new Set(fields)].join(', ')})`);
}

function checkProfile(profile: EmbeddingProfile, server: EmbeddingServer | null): void {
  const model = server?.model ?? BUILT_IN_MODEL;
  if (profile.model !== model) {
    throw new InvalidEnvironment(
      `EMBEDDING_PROFILE: was measured for "${profile.model}", but the model is "${model}"`,
    );
  }
  const dimensions = server?.dimensions ?? profile.dimension;
  if (profile.dimension !== null && profile.dimension !== dimensions) {
    throw new InvalidEnvironment(
      `EMBEDDING_PROFILE: was measured with ${profile.dimension} dimensions, but EMBEDDING_DIMENSIONS is ${dimensions}`,
    );
  }
}
