import { readFileSync } from 'node:fs';
import {
  BUILT_IN_MODEL,
  type EmbeddingProfile,
  embeddingProfileSchema,
} from '../domain/core/embedding-profile.ts';
import type { Env } from './env.ts';
import { InvalidEnvironment, requireKey } from './read-env.ts';

type EmbeddingServer = {
  baseUrl: string;
  apiKey: string | null;
  model: string;
  dimensions: number | null;
  /** Most texts of one request. */
  batch: number;
};

/** The model that makes vectors. */
export type EmbeddingConfig = {
  /** Of EMBEDDING_PROFILE; null = the one that is built in. */
  profile: EmbeddingProfile | null;
  maxTokens: number | null;
  /** With EMBEDDER=openai; null otherwise. */
  server: EmbeddingServer | null;
  /** With EMBEDDER=local; null otherwise. */
  local: { model: string; dtype: Env['EMBEDDING_DTYPE'] } | null;
};

/** @throws InvalidEnvironment naming the setting that is wrong or missing */
export function readEmbedding(env: Env): EmbeddingConfig {
  const server = env.EMBEDDER === 'openai' ? readServer(env) : null;
  const profile = env.EMBEDDING_PROFILE ? readProfile(env.EMBEDDING_PROFILE) : null;
  const local = env.EMBEDDER === 'local' ? readLocal(env) : null;
  // What a local model is called its files tell.
  if (profile && !local) checkProfile(profile, server);
  return { profile, maxTokens: env.EMBEDDING_MAX_TOKENS ?? null, server, local };
}

function readLocal({ EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS, EMBEDDING_DTYPE: dtype }: Env) {
  if (!model) {
    throw new InvalidEnvironment(
      'EMBEDDING_MODEL: name the folder of a model, or one of the hub, with EMBEDDER=local; see docs/models.md',
    );
  }
  if (EMBEDDING_DIMENSIONS !== undefined) {
    throw new InvalidEnvironment(
      'EMBEDDING_DIMENSIONS: vectors of EMBEDDER=local have the length that their model gives them; leave it out',
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
  // One server's key is not shown to another.
  const shared = origin === new URL(env.OPENAI_BASE_URL).origin ? env.OPENAI_API_KEY : undefined;
  const apiKey = env.EMBEDDING_API_KEY ?? shared ?? null;
  requireKey(apiKey, baseUrl, { key: 'EMBEDDING_API_KEY', url: 'EMBEDDING_BASE_URL' });
  const { EMBEDDING_MODEL: model, EMBEDDING_BATCH: batch } = env;
  return { baseUrl, apiKey, model, dimensions: env.EMBEDDING_DIMENSIONS ?? null, batch };
}

function readProfile(path: string): EmbeddingProfile {
  const wrong = (what: string) =>
    new InvalidEnvironment(
      `EMBEDDING_PROFILE: ${path} ${what}; let "npm run calibrate" write it anew, or leave it out`,
    );
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw wrong(code ? `cannot be read (${code})` : 'is not JSON');
  }
  const result = embeddingProfileSchema.safeParse(content);
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => issue.path.join('.') || 'the whole');
  throw wrong(`is not a profile (${[...new Set(fields)].join(', ')})`);
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
