import type { Worker } from 'node:worker_threads';
import { BUILT_IN_MODEL } from '../../domain/core/embedding-profile.ts';
import { createSharedCounts } from '../../observability/load.ts';
import { startWorkerFile } from '../../worker-file.ts';
import { type Embedder, EmbedderFailed, type EmbedderIdentity } from '../core/embedder.ts';
import { BUILT_IN_PROFILE } from '../core/profile.ts';
import { createVectorCache, throughCache } from '../core/vector-cache.ts';
import type { Reply, Request } from './built-in-worker.ts';

type Waiting = {
  resolve: (vectors: Float32Array) => void;
  reject: (error: unknown) => void;
};

/** Universal Sentence Encoder lite. The name is short, since it is stored beside every vector. */
const NAME = BUILT_IN_MODEL;
const DIMENSION = 512;
/** 16 MB of vectors: a sentence is compared by several steps, with thousands of other texts between them. */
const CACHE_SIZE = 8_192;

export const startEmbedderWorker = (requests: SharedArrayBuffer): Worker =>
  startWorkerFile('embedder/built-in/built-in-worker', {
    execArgv: [],
    name: 'embedder',
    workerData: requests,
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });

/**
 * Universal Sentence Encoder lite (English, 512 dimensions) in a worker thread, which starts and warms up at once; calls may
 * be made before it is ready. Queries go before batches, even before those that have begun. If the thread dies, the calls
 * in flight reject with `EmbedderFailed` and the next call starts another thread.
 * @param options.requests counts the server's requests (`Load.shared`); during one, batches take at most a fifth of a core
 * @param options.start for tests
 */
export function createBuiltInEmbedder({
  start = startEmbedderWorker,
  requests = createSharedCounts(),
  profile = BUILT_IN_PROFILE,
} = {}): Embedder & EmbedderIdentity {
  const cache = createVectorCache(CACHE_SIZE);
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed = false;
  let worker: Worker | null = null;

  const failAll = (message: string, cause?: unknown) => {
    for (const { reject } of waiting.values()) {
      reject(new EmbedderFailed(message, { cause }));
    }
    waiting.clear();
  };

  const settle = (id: number): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    // The thread keeps the process alive only while a call waits for it.
    if (waiting.size === 0) worker?.unref();
    return found;
  };

  const open = (): Worker => {
    const opened = start(requests);
    const lost = (cause?: unknown) => {
      if (worker !== opened) return;
      worker = null;
      failAll('The embedding thread stopped; the next call starts another.', cause);
    };
    opened.on('message', (reply: Reply) => {
      const caller = settle(reply.id);
      if ('vectors' in reply) caller?.resolve(reply.vectors);
      else
        caller?.reject(new EmbedderFailed('A text could not be embedded.', { cause: reply.error }));
    });
    opened.on('error', lost);
    opened.on('exit', (code) => lost(new Error(`It exited with code ${code}.`)));
    opened.unref();
    return opened;
  };

  const request = (
    texts: readonly string[],
    priority: 'query' | 'batch',
    signal?: AbortSignal,
  ): Promise<Float32Array> =>
    new Promise((resolve, reject) => {
      worker ??= open();
      const thread = worker;
      const id = ++lastId;
      const abort = () => {
        settle(id)?.reject(signal?.reason);
        thread.postMessage({ type: 'cancel', id } satisfies Request);
      };
      const done = () => signal?.removeEventListener('abort', abort);
      waiting.set(id, {
        resolve: (vectors) => {
          done();
          resolve(vectors);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
      thread.ref();
      thread.postMessage({ type: 'embed', id, texts, priority } satisfies Request);
    });

  worker = open();
  return {
    name: NAME,
    dimension: DIMENSION,
    profile,
    identify: async () => ({ name: NAME, dimension: DIMENSION }),
    async embed(texts, options) {
      const { priority, signal } = options;
      if (closed) throw new EmbedderFailed('The embedder is closed.');
      signal?.throwIfAborted();
      return throughCache(cache, texts, {
        options,
        embed: async (missing, keep) => {
          const found = await request(missing, priority, signal);
          missing.forEach((text, index) => {
            keep(text, found.subarray(index * DIMENSION, (index + 1) * DIMENSION));
          });
        },
      });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const thread = worker;
      worker = null;
      failAll('The embedder is closed.');
      await thread?.terminate();
    },
  };
}
