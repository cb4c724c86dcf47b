import { createHash } from 'node:crypto';
import { type BatchLimit, batchesOf } from '../../domain/core/batches.ts';
import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import { ModelUnavailable } from '../../domain/core/errors.ts';
import type { ModelThread } from '../../local-models/model-thread.ts';
import { orAbort } from '../../shared/or-abort.ts';
import { type Embedder, EmbedderFailed, type EmbedderIdentity } from '../core/embedder.ts';
import { prepareTexts } from '../core/prepare-texts.ts';
import { createVectorCache, throughCache } from '../core/vector-cache.ts';
import { createTurns } from './in-turns.ts';
import type { LocalModelAbout } from './worker.ts';

export type LocalModel = ModelThread<readonly string[], Float32Array, LocalModelAbout>;

/** 4,096 vectors of 384 numbers are 6 MB. */
const CACHE_SIZE = 4_096;
/** Texts of one batch, which a query may have to wait for: 0.15 s on one core with a model of all-MiniLM-L6-v2's size. */
const BATCH: BatchLimit = { items: 8, size: 2_000 };

/**
 * Creates an embedder that runs a sentence-transformer in a thread of this process. Queries go before batches. Its name
 * depends on the contents of the model's files, the dimension and the prefixes: if one of them changes, everything is
 * embedded again.
 */
export function createLocalEmbedder(model: LocalModel, profile: EmbeddingProfile): Embedder {
  let cache = { of: '', vectors: createVectorCache(CACHE_SIZE) };
  const inTurns = createTurns();
  const closing = new AbortController();

  const identityOf = (about: LocalModelAbout): EmbedderIdentity => ({
    name: nameOf(about, profile),
    dimension: about.dimension,
  });

  /** A new cache if the model was loaded again and its folder now contains another one. */
  const cacheOf = ({ fingerprint }: LocalModelAbout) => {
    if (cache.of !== fingerprint)
      cache = { of: fingerprint, vectors: createVectorCache(CACHE_SIZE) };
    return cache.vectors;
  };

  const request = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array> => {
    signal.throwIfAborted();
    try {
      return await model.run(texts, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof ModelUnavailable) throw cause;
      throw new EmbedderFailed('The local model could not embed a text.', { cause });
    }
  };

  return {
    get name() {
      return model.about && identityOf(model.about).name;
    },
    get dimension() {
      return model.about?.dimension ?? null;
    },
    profile,
    loading: model,
    identify: async () => identityOf(await model.loaded()),
    async embed(texts, options) {
      const { priority, signal } = options;
      closing.signal.throwIfAborted();
      signal?.throwIfAborted();
      const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const about = await orAbort(model.loaded(), ended);
      const { dimension } = about;
      const prepared = await prepareTexts(texts, options, profile);
      const work = throughCache(cacheOf(about), prepared, {
        options,
        embed: async (missing, keep) => {
          for (const part of batchesOf(missing, BATCH, ({ length }) => length)) {
            const vectors = await inTurns(priority, () => request(part, ended));
            part.forEach((text, index) => {
              keep(text, vectors.subarray(index * dimension, (index + 1) * dimension));
            });
          }
        },
      });
      return orAbort(work, ended);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new EmbedderFailed('The embedder is closed.'));
      await model[Symbol.asyncDispose]();
    },
  };
}

/** The name is short, since it is stored beside every vector. */
function nameOf(
  { dimension, fingerprint }: LocalModelAbout,
  { model, prefixes }: EmbeddingProfile,
) {
  const hash = createHash('sha256').update(
    JSON.stringify([fingerprint, prefixes.query, prefixes.document]),
  );
  return `local:${model}@${dimension}+${hash.digest('hex').slice(0, 8)}`;
}
