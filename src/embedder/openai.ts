import { createHash, randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type OpenAI from 'openai';
import { batchesOf } from '../domain/core/batches.ts';
import type { EmbeddingProfile } from '../domain/core/embedding-profile.ts';
import { ModelFailed } from '../domain/core/errors.ts';
import { createEndpoint, type Endpoint, type EndpointOptions } from '../openai/endpoint.ts';
import type { Meter } from '../openai/meter.ts';
import { type ObservedCall, observeCall } from '../openai/observe-call.ts';
import { tokenCount } from '../openai/usage.ts';
import { orAbort } from '../shared/or-abort.ts';
import { readVectors } from './built-in/read-vectors.ts';
import {
  type Embedder,
  EmbedderFailed,
  type EmbedderIdentity,
  type EmbedOptions,
} from './core/embedder.ts';
import { prepareTexts } from './core/prepare-texts.ts';
import { createVectorCache, throughCache } from './core/vector-cache.ts';

export type OpenAiEmbedderOptions = {
  endpoint: EndpointOptions;
  model: string;
  /** The length of vectors to request; null = the model's default. */
  dimensions: number | null;
  profile: EmbeddingProfile;
  /** Maximum number of texts in one request. */
  batch: number;
  meter: Meter;
  observe: (call: ObservedCall) => void;
};

/** The user of a request; `signal` aborts it at any time, `waiting` only until it is sent. */
type Sender = { userId: string | null; signal: AbortSignal; waiting?: AbortSignal };
/** What to embed: texts as they are sent, and the options with which they were given. */
type Order = { texts: readonly string[]; options: EmbedOptions };
type Answer = { usage?: { prompt_tokens?: unknown } };

/** 1,024 vectors of 3,072 numbers are 12 MB. */
const CACHE_SIZE = 1_024;
/** Maximum number of characters in one request: servers limit its tokens, OpenAI to 300,000. */
const CHARACTERS = 200_000;
/** In milliseconds. A query that takes longer is of no use any more. */
const QUERY_TIMEOUT = 15_000;
/** A query is retried once, quickly: the recall goes on without its vector otherwise. */
const QUERY_RETRIES = 1;
const QUERY_RETRY_DELAY = 100;
/** How many queries may wait for each one in flight: behind more of them the answer would come too late. */
const QUERY_QUEUE = 8;
const SAMPLE = 'How many numbers does a vector hold?';

/**
 * Creates an embedder that uses any OpenAI-compatible server. Queries have an endpoint of their own, so that they never
 * wait for a batch. They go on in the background when their caller gives up, so that the next recall with the same words
 * finds the vector in the cache.
 *
 * Its name depends on the model, the dimension and the prefixes. If neither the settings nor the profile give the
 * dimension, it is read from the first response; the start of the server does not wait for that.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, profile, meter, observe } = options;
  const cache = createVectorCache(CACHE_SIZE);
  const closing = new AbortController();
  // Every request adds a listener.
  setMaxListeners(0, closing.signal);
  const batches = createEndpoint({ ...options.endpoint, control });
  const queries = createEndpoint({
    ...options.endpoint,
    control,
    queue: options.endpoint.concurrency * QUERY_QUEUE,
    timeout: Math.min(options.endpoint.timeout, QUERY_TIMEOUT),
    retries: Math.min(options.endpoint.retries, QUERY_RETRIES),
    retryDelay: Math.min(options.endpoint.retryDelay, QUERY_RETRY_DELAY),
  });
  // Some models refuse the parameter `dimensions` even with their default value, so that is not sent.
  const requestedDimensions = dimensions === profile.dimension ? null : dimensions;
  let dimension = dimensions ?? profile.dimension;

  const ask = (client: OpenAI, texts: readonly string[], signal: AbortSignal) => {
    // The package's default is base64, which many servers do not support.
    const body = { model, input: [...texts], encoding_format: 'float' as const };
    if (requestedDimensions === null) return client.embeddings.create(body, { signal });
    return client.embeddings.create({ ...body, dimensions: requestedDimensions }, { signal });
  };

  /** Counts a request against the daily limit. If the server does not report its tokens, they are counted here. */
  const record = async (
    step: string,
    userId: string | null,
    texts: readonly string[],
    answer: Answer | null,
  ) => {
    const promptTokens = await tokenCount(answer?.usage?.prompt_tokens, async () => {
      const { tokensOf } = await import('../language/text/tokens.ts');
      return texts.reduce((sum, text) => sum + tokensOf(text), 0);
    });
    const usage = { model, calls: 1, promptTokens, cachedTokens: 0, completionTokens: 0 };
    await meter.record(userId, { step, ...usage });
  };

  /**
   * Sends a harmless text after a failure. If that succeeds, the server works and the failure was due to the text that it
   * was sent: some servers fail where they should refuse.
   */
  async function control(client: OpenAI, signal: AbortSignal): Promise<void> {
    const texts = [`${SAMPLE} ${randomInt(1e9)}`];
    const answer = await observeCall(observe, { step: 'ping', model }, () =>
      ask(client, texts, signal),
    );
    await record('ping', null, texts, answer);
    readVectors(answer, texts.length, dimension, requestedDimensions);
  }

  const request = async (
    endpoint: Endpoint,
    texts: readonly string[],
    { userId, signal, waiting }: Sender,
  ): Promise<Float32Array[]> => {
    const answer = await observeCall(observe, { step: 'embed', model }, () =>
      endpoint.send((client, ended) => ask(client, texts, ended), signal, waiting),
    ).catch((error) => {
      throw blame(error);
    });
    // The request cost tokens even if its response is unusable. A query does not wait until that is recorded.
    const recorded = record('embed', userId, texts, answer);
    if (endpoint === batches) await recorded;
    const vectors = readVectors(answer, texts.length, dimension, requestedDimensions);
    dimension ??= vectors[0]?.length ?? null;
    return vectors;
  };

  /** Embeds the texts that are not cached, each once. */
  const embed = async (
    { texts, options: embedOptions }: Order,
    endpoint: Endpoint,
    sender: Sender,
  ): Promise<Float32Array[]> =>
    throughCache(cache, texts, {
      options: embedOptions,
      embed: async (missing, keep) => {
        if (endpoint === batches) await meter.admit();
        const limit = { items: options.batch, size: CHARACTERS };
        for (const part of batchesOf(missing, limit, ({ length }) => length)) {
          const vectors = await request(endpoint, part, sender);
          part.forEach((text, index) => {
            keep(text, vectors[index]!);
          });
        }
      },
    });

  const throwIfClosed = () => {
    if (closing.signal.aborted) throw new EmbedderFailed('The embedder is closed.');
  };

  const identityOf = (): EmbedderIdentity | null =>
    dimension === null ? null : { name: nameOf(model, dimension, profile.prefixes), dimension };

  return {
    get name() {
      return identityOf()?.name ?? null;
    },
    get dimension() {
      return dimension;
    },
    profile,
    async identify() {
      throwIfClosed();
      if (dimension === null) {
        await embed({ texts: [SAMPLE], options: { priority: 'batch' } }, batches, {
          userId: null,
          signal: closing.signal,
        });
      }
      const identity = identityOf();
      if (!identity)
        throw new ModelFailed(
          'The embedding server returned no vector from which to read the dimension.',
        );
      return identity;
    },
    async embed(texts, embedOptions) {
      throwIfClosed();
      const { priority, signal, userId = null } = embedOptions;
      signal?.throwIfAborted();
      const prepared = prepareTexts(texts, embedOptions, profile);
      if (priority === 'batch') {
        const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
        const order = { texts: await prepared, options: embedOptions };
        return embed(order, batches, { userId, signal: ended });
      }
      const sender = { userId, signal: closing.signal, ...(signal ? { waiting: signal } : {}) };
      const work = prepared.then((all) =>
        embed({ texts: all, options: embedOptions }, queries, sender),
      );
      return orAbort(work, signal);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new EmbedderFailed('The embedder is closed.'));
    },
  };
}

/** The prefixes are part of the name, since vectors made with other prefixes cannot be compared. */
function nameOf(
  model: string,
  dimension: number,
  { query, document }: EmbeddingProfile['prefixes'],
) {
  const name = `openai:${model}@${dimension}`;
  if (!query && !document) return name;
  const hash = createHash('sha256')
    .update(JSON.stringify([query, document]))
    .digest('hex');
  return `${name}+${hash.slice(0, 6)}`;
}

/** Explains what to do when the server fails only at a certain text. */
function blame(error: unknown): unknown {
  if (!(error instanceof ModelFailed) || !failsAtText(error)) return error;
  const message =
    `The embedding server fails (${error.status}) at one text but not at others. If the text is too long for the ` +
    'model, set EMBEDDING_MAX_TOKENS.';
  return new ModelFailed(message, { status: error.status ?? undefined });
}

const failsAtText = ({ status }: ModelFailed): boolean => status === 408 || (status ?? 0) >= 500;
