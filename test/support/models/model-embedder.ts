import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { profileOf } from '../../../src/embedder/core/profile.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from '../../../src/embedder/openai.ts';
import { createWorld, type World } from '../world.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
  vectorOf,
} from './model-server.ts';

/** The API key that the embedders of tests send. It must not appear in logs, errors or the database. */
export const KEY = 'sk-test-1234567890abcdef';
/** The time by their clock. */
export const NOW = new Date('2026-03-02T09:00:00Z');

/** Returns a reply with these vectors. */
export const vectors = (all: number[][], tokens?: number): ModelReply => ({
  kind: 'vectors',
  vectors: all,
  ...(tokens === undefined ? {} : { tokens }),
});

/** Returns the right reply: a vector for each text. */
export const embedAll =
  (dimension = 8) =>
  ({ body }: ModelRequest): ModelReply =>
    vectors((body.input ?? []).map((text) => vectorOf(text, dimension)));

/** Returns a reply with any JSON body. */
export const json = (body: unknown): ModelReply => ({
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Creates an embedder on the stub server, with short delays. */
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

/** Returns the error with which work fails. @throws if it does not fail */
export const fails = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: Error) => error,
  );

/** Creates a world whose model "old" makes vectors of 8 numbers. The model "wide" makes vectors of 3,072. */
export async function createEmbeddingWorld(): Promise<{ server: ModelServer; world: World }> {
  const server = await startModelServer((request) =>
    embedAll(request.body.model === 'wide' ? 3_072 : 8)(request),
  );
  const world = await createWorld({}, { embedder: openEmbedder(server, { model: 'old' }) });
  return { server, world };
}

/** Counts the vectors of a user by embedder. */
export async function vectorsOf(world: World, userId: string): Promise<Record<string, number>> {
  const { rows } = await world.ctx.db.pool.query(
    'SELECT embedder, count(*)::int AS vectors FROM turn_vectors WHERE user_id = $1 GROUP BY 1 ORDER BY 1',
    [userId],
  );
  return Object.fromEntries(rows.map(({ embedder, vectors }) => [embedder, vectors]));
}
