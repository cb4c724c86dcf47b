import { createHash, randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type OpenAI from 'openai';
import type { EmbeddingProfile } from '../domain/core/embedding-profile.ts';
import { ModelFailed } from '../domain/core/errors.ts';
import { createEndpoint, type Endpoint, type EndpointOptions } from '../openai/endpoint.ts';
import type { Meter } from '../openai/meter.ts';
import { type ObservedCall, observeCall } from '../openai/observe-call.ts';
import { orAbort } from '../openai/or-abort.ts';
import { tokenCount } from '../openai/usage.ts';
import { readVectors } from './built-in/read-vectors.ts';
import { batchesOf } from './core/batches.ts';
import { type Embedder, EmbedderFailed, type EmbedderIdentity } from './core/embedder.ts';
import { prepareTexts } from './core/prepare-texts.ts';
import { createVectorCache, throughCache } from './core/vector-cache.ts';

export type OpenAiEmbedderOptions = {
  endpoint: EndpointOptions;
  model: string;
  /** The length of vectors to ask for; null leaves it to the model. */
  dimensions: number | null;
  profile: EmbeddingProfile;
  /** Most texts of one request. */
  batch: number;
  meter: Meter;
  observe: (call: ObservedCall) => void;
};

/** Whom a request is for, what ends it, and what ends it only as long as it waits for its turn. */
type Sender = { userId: string | null; signal: AbortSignal; waiting?: AbortSignal };
type Answer = { usage?: { prompt_tokens?: unknown } };

/** 1,024 vectors of 3,072 numbers are 12 MB. */
const CACHE_SIZE = 1_024;
/** Most characters of one request: servers limit its tokens, OpenAI to 300,000. */
const CHARACTERS = 200_000;
/** A query that takes longer is of no use to anybody, in milliseconds. */
const QUERY_TIMEOUT = 15_000;
/** A query comes at once or not at all: the recall goes on without it. */
const QUERY_RETRIES = 1;
const QUERY_RETRY_DELAY = 100;
/** Queries that may wait, for each that is under way: what waits behind more would come too late. */
const QUERY_QUEUE = 8;
const SAMPLE = 'How many numbers does a vector hold?';

/**
 * Any OpenAI-compatible server's embeddings. Queries have an endpoint of their own, so that none
 * waits for a batch, and go on in the background when their caller gives up: the next recall with
 * the same words finds the vector in the cache.
 *
 * Named by model, length and prefixes. Where the settings and the profile do not tell the length,
 * the first answer does; the server's start never waits for it.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, profile, meter, observe } = options;
  const cache = createVectorCache(CACHE_SIZE);
  const closing = new AbortController();
  // Every request listens to it.
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
  // A model that is asked for its usual length may refuse to be asked.
  const asked = dimensions === profile.dimension ? null : dimensions;
  let dimension = dimensions ?? profile.dimension;

  const ask = (client: OpenAI, texts: readonly string[], signal: AbortSignal) => {
    // The package's default is base64, which many servers do not speak.
    const body = { model, input: [...texts], encoding_format: 'float' as const };
    if (asked === null) return client.embeddings.create(body, { signal });
    return client.embeddings.create({ ...body, dimensions: asked }, { signal });
  };

  /** Whether the server counted the tokens or not, the day's limit must come down. */
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

  /** Some servers fail where they should refuse: well otherwise, they do not like what they were sent. */
  async function control(client: OpenAI, signal: AbortSignal): Promise<void> {
    const texts = [`${SAMPLE} ${randomInt(1e9)}`];
    const answer = await observeCall(observe, { step: 'ping', model }, () =>
      ask(client, texts, signal),
    );
    await record('ping', null, texts, answer);
    readVectors(answer, texts.length, dimension, asked);
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
    // Paid for, of use or not. No recall waits for the bookkeeping.
    const recorded = record('embed', userId, texts, answer);
    if (endpoint === batches) await recorded;
    const vectors = readVectors(answer, texts.length, dimension, asked);
    dimension ??= vectors[0]?.length ?? null;
    return vectors;
  };

  /** Asks for what the cache does not have, each text once. */
  const embed = async (
    texts: readonly string[],
    endpoint: Endpoint,
    sender: Sender,
  ): Promise<Float32Array[]> =>
    throughCache(cache, texts, async (missing, keep) => {
      if (endpoint === batches) await meter.admit();
      for (const part of batchesOf(missing, options.batch, CHARACTERS)) {
        const vectors = await request(endpoint, part, sender);
        part.forEach((text, index) => {
          keep(text, vectors[index]!);
        });
      }
    });

  const open = () => {
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
      open();
      if (dimension === null) {
        await embed([SAMPLE], batches, { userId: null, signal: closing.signal });
      }
      const identity = identityOf();
      if (!identity) throw new ModelFailed('The embedding server does not say what it is.');
      return identity;
    },
    async embed(texts, embedOptions) {
      open();
      const { priority, signal, userId = null } = embedOptions;
      signal?.throwIfAborted();
      const prepared = prepareTexts(texts, embedOptions, profile);
      if (priority === 'batch') {
        const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
        return embed(await prepared, batches, { userId, signal: ended });
      }
      const sender = { userId, signal: closing.signal, ...(signal ? { waiting: signal } : {}) };
      const work = prepared.then((all) => embed(all, queries, sender));
      return orAbort(work, signal);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new EmbedderFailed('The embedder is closed.'));
    },
  };
}

/** Prefixes change the vectors: those of other prefixes do not compare. */
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

/** What a batch's sender can do about a server that breaks at it. */
function blame(error: unknown): unknown {
  if (!(error instanceof ModelFailed) || !failsAtText(error)) return error;
  const message = `The embedding server fails (${error.status}) at a text, and not at others. If it is too long for it, set EMBEDDING_MAX_TOKENS.`;
  return new ModelFailed(message, { status: error.status ?? undefined });
}

const failsAtText = ({ status }: ModelFailed): boolean => status === 408 || (status ?? 0) >= 500;
