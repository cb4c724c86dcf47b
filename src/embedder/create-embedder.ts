import type { EmbeddingProfile } from '../domain/core/embedding-profile.ts';
import type { ModelNotice } from '../local-models/model-thread.ts';
import type { EndpointOptions } from '../openai/endpoint.ts';
import type { Meter } from '../openai/meter.ts';
import type { ObservedCall } from '../openai/observe-call.ts';
import { createBuiltInEmbedder } from './built-in/built-in.ts';
import type { Embedder } from './core/embedder.ts';
import { profileOf } from './core/profile.ts';
import { type LocalEmbeddingSettings, openLocalEmbedder } from './local/open.ts';

/** The settings that select and configure the embedder. */
export type EmbedderSettings = {
  embedder: 'built-in' | 'openai' | 'local' | 'none';
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
    local: Pick<LocalEmbeddingSettings, 'model' | 'dtype'> | null;
  };
  /** Settings for models that run in this process. */
  local: Pick<LocalEmbeddingSettings, 'models' | 'packages' | 'hub'>;
  /** How to call a model's server. */
  model: Pick<EndpointOptions, 'concurrency' | 'timeout' | 'retries' | 'retryDelay' | 'pause'>;
};

/** What an embedder needs besides its settings. */
export type EmbedderServices = {
  clock: () => Date;
  meter: Meter;
  observe?: (call: ObservedCall) => void;
  requests?: SharedArrayBuffer;
  /** Called as a local model is downloaded and loaded. */
  notice?: ModelNotice;
  /** How long a call waits until a local model is loaded, in milliseconds. */
  patience?: number;
};

/**
 * Creates the embedder that the settings select; null if vectors are switched off. Does not call a server yet.
 * @throws InvalidSetting if a package or file of a local model is missing
 */
export async function createEmbedder(
  { embedder, embedding, model, local }: EmbedderSettings,
  { clock, meter, observe = () => {}, requests, notice = () => {}, patience }: EmbedderServices,
): Promise<Embedder | null> {
  if (embedder === 'none') return null;
  const { server, maxTokens } = embedding;
  if (embedding.local) {
    const { profile } = embedding;
    return openLocalEmbedder(
      { ...embedding.local, ...local, profile, maxTokens },
      { clock, notice, ...(patience === undefined ? {} : { patience }) },
    );
  }
  if (!server) {
    return createBuiltInEmbedder({
      ...(requests ? { requests } : {}),
      ...(embedding.profile ? { profile: embedding.profile } : {}),
    });
  }
  const { concurrency, timeout, retries, retryDelay, pause } = model;
  const profile = embedding.profile ?? profileOf(server.model);
  // Its packages take 0.1 s to load: only a server that is configured needs them.
  const { createOpenAiEmbedder } = await import('./openai.ts');
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
