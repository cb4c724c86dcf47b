import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { profileOf } from '../../src/embedder/core/profile.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from '../../src/embedder/openai.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
  vectorOf,
} from './model-server.ts';
import { createWorld, type World } from './world.ts';

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

/** The error that work fails with; fails when it does not. */
export const fails = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: Error) => error,
  );

/** A world with vectors of 8 numbers by the model "old"; the model "wide" makes some of 3,072. */
export async function createEmbeddingWorld(): Promise<{ server: ModelServer; world: World }> {
  const server = await startModelServer((request) =>
    embedAll(request.body.model === 'wide' ? 3_072 : 8)(request),
  );
  const world = await createWorld({}, { embedder: openEmbedder(server, { model: 'old' }) });
  return { server, world };
}

/** How many vectors a user has, by embedder. */
export async function vectorsOf(world: World, userId: string): Promise<Record<string, number>> {
  const { rows } = await world.ctx.db.pool.query(
    'SELECT embedder, count(*)::int AS vectors FROM turn_vectors WHERE user_id = $1 GROUP BY 1 ORDER BY 1',
    [userId],
  );
  return Object.fromEntries(rows.map(({ embedder, vectors }) => [embedder, vectors]));
}
