import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import { OwnError } from '../../domain/core/errors.ts';
import type { LoadingModel } from '../../domain/core/loading-model.ts';

/** How urgent a call is: a user waits for a `query`, nobody waits for a `batch`. */
export type Priority = 'query' | 'batch';

/** Which vectors compare with each other, and how long they are. */
export type EmbedderIdentity = {
  /** The model, its version and its vectors' length. Stored beside each vector. */
  name: string;
  dimension: number;
};

export type EmbedOptions = {
  priority: Priority;
  /** Some models embed what is asked otherwise than what is found. By default a `query` is asked. */
  as?: 'question' | 'document';
  signal?: AbortSignal;
  /** Whom the work is for, where its cost is counted. */
  userId?: string | null;
};

/** Turns texts into vectors. */
export type Embedder = {
  /** Vectors of different names do not compare. Null until it is known, see `identify`. */
  readonly name: string | null;
  /** The length of a vector; null like `name`. */
  readonly dimension: number | null;
  /** How its cosines are to be read. */
  readonly profile: EmbeddingProfile;
  /** Of a model that this process loads itself. */
  readonly loading?: LoadingModel;
  /**
   * Its name and dimension, which a model's server may have to be asked for.
   * @throws ModelUnavailable, ModelFailed
   */
  identify(): Promise<EmbedderIdentity>;
  /**
   * One vector of `dimension` and Euclidean length 1 for each text, in the texts' order; they are the caller's own. Any
   * text will do, the empty one included. Throws the signal's reason once it is aborted.
   * @throws EmbedderFailed when it could not do its work
   * @throws ModelUnavailable when the model's server cannot be asked now
   * @throws ModelFailed when it refuses a text, or its answer is no vector of the right length
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /** Rejects what is in flight and later calls with `EmbedderFailed`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** The embedder could not do its work; the next call may succeed unless it was closed. */
export class EmbedderFailed extends OwnError {
  override readonly name = 'EmbedderFailed';
  readonly code = 'EMBEDDER_FAILED';
}
