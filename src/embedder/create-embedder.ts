import type { EmbeddingProfile } from '../domain/embedding-profile.ts';
import type { EndpointOptions } from '../openai/endpoint.ts';
import type { Meter } from '../openai/meter.ts';
import type { ObservedCall } from '../openai/observe-call.ts';
import { createBuiltInEmbedder } from './built-in.ts';
import type { Embedder } from './embedder.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { profileOf } from './profile.ts';

/** The settings that say which embedder to use. */
export type EmbedderSettings = {
  embedder: 'built-in' | 'openai' | 'none';
  embedding: {
    profile: EmbeddingProfile | null;
    maxTokens: number | null;
    server: {
      baseUrl: string;
      apiKey: string | null;
      model: string;
      dimensions: number | null;
      batch: number;
    } | null;
  };
  /** How a model's server is treated. */
  model: Pick<EndpointOptions, 'concurrency' | 'timeout' | 'retries' | 'retryDelay' | 'pause'>;
};

/** What an embedder is given besides its settings. */
export type EmbedderServices = {
  clock: () => Date;
  meter: Meter;
  observe?: (call: ObservedCall) => void;
  requests?: SharedArrayBuffer;
};

/** The embedder that the settings name; null when vectors are switched off. Asks no server yet. */
export function createEmbedder(
  { embedder, embedding, model }: EmbedderSettings,
  { clock, meter, observe = () => {}, requests }: EmbedderServices,
): Embedder | null {
  if (embedder === 'none') return null;
  const { server, maxTokens } = embedding;
  if (!server) {
    return createBuiltInEmbedder({
      ...(requests ? { requests } : {}),
      ...(embedding.profile ? { profile: embedding.profile } : {}),
    });
  }
  const { concurrency, timeout, retries, retryDelay, pause } = model;
  const profile = embedding.profile ?? profileOf(server.model);
  return createOpenAiEmbedder({
    endpoint: {
      baseUrl: server.baseUrl,
      apiKey: server.apiKey,
      ...{ concurrency, timeout, retries, retryDelay, pause, clock },
    },
    model: server.model,
    dimensions: server.dimensions,
    profile: maxTokens === null ? profile : { ...profile, maxTokens },
    batch: server.batch,
    meter,
    observe,
  });
}
