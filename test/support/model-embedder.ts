import type { Embedder } from '../../src/embedder/embedder.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from '../../src/embedder/openai.ts';
import { profileOf } from '../../src/embedder/profile.ts';
import { type ModelReply, type ModelRequest, type ModelServer, vectorOf } from './model-server.ts';

/** The key that the embedders of tests send: it must show up nowhere. */
export const KEY = 'sk-test-1234567890abcdef';
/** Their clock. */
export const NOW = new Date('2026-03-02T09:00:00Z');

/** An answer of these vectors. */
export const vectors = (all: number[][], tokens?: number): ModelReply => ({
  kind: 'vectors',
  vectors: all,
  ...(tokens === undefined ? {} : { tokens }),
});

/** The right answer: a vector for each text. */
export const embedAll =
  (dimension = 8) =>
  ({ body }: ModelRequest): ModelReply =>
    vectors((body.input ?? []).map((text) => vectorOf(text, dimension)));

/** Any body, as JSON. */
export const json = (body: unknown): ModelReply => ({
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** An embedder that asks the stub, with short delays. */
export function openEmbedder(
  server: ModelServer,
  options: Partial<OpenAiEmbedderOptions> = {},
  endpoint: Partial<OpenAiEmbedderOptions['endpoint']> = {},
): Embedder {
  const model = options.model ?? 'stub';
  return createOpenAiEmbedder({
    model,
    dimensions: null,
    profile: profileOf(model),
    batch: 64,
    meter: { admit: async () => {}, record: async () => {} },
    observe: () => {},
    ...options,
    endpoint: {
      baseUrl: server.baseUrl,
      apiKey: KEY,
      concurrency: 4,
      timeout: 5_000,
      retries: 2,
      retryDelay: 1,
      pause: 60_000,
      clock: () => NOW,
      ...endpoint,
    },
  });
}
