import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import { OwnError } from '../../domain/core/errors.ts';
import type { LoadingModel } from '../../domain/core/loading-model.ts';

/** How urgent a call is: a request waits for a `query`; a `batch` is background work. */
export type Priority = 'query' | 'batch';

/** Identifies an embedder. Only vectors of the same name can be compared. */
export type EmbedderIdentity = {
  /** Names the model, its version and the length of its vectors. Stored beside each vector. */
  name: string;
  dimension: number;
};

export type EmbedOptions = {
  priority: Priority;
  /** Some models embed questions and documents differently. By default a `query` is a question. */
  as?: 'question' | 'document';
  signal?: AbortSignal;
  /** The user to whom the cost is charged. */
  userId?: string | null;
  /** Finds vectors that this embedder made before, so that the texts are not embedded again. Called if some are not cached. */
  stored?: StoredVectors;
};

/** Whether the texts are questions, which some models embed differently. */
export const isQuery = ({ priority, as }: Pick<EmbedOptions, 'priority' | 'as'>): boolean =>
  as ? as === 'question' : priority === 'query';

/** Returns, for texts by their places in the call, the stored vector of each; null if there is none. */
type StoredVectors = (places: readonly number[]) => Promise<readonly (Float32Array | null)[]>;

/** Turns texts into vectors. */
export type Embedder = {
  /** See `EmbedderIdentity`. Null until it is known, see `identify`. */
  readonly name: string | null;
  /** The length of a vector; null like `name`. */
  readonly dimension: number | null;
  /** How to read its cosines. */
  readonly profile: EmbeddingProfile;
  /** The progress of loading, if this process loads the model itself. */
  readonly loading?: LoadingModel;
  /**
   * Its name and dimension. Asks the model's server if they are not known yet.
   * @throws ModelUnavailable, ModelFailed
   */
  identify(): Promise<EmbedderIdentity>;
  /**
   * Returns one vector of `dimension` numbers and Euclidean length 1 for each text, in order; those of documents
   * are rounded, see `asStored`; the caller may change them. Any
   * text is accepted, also an empty one. Throws the signal's reason when the signal is aborted.
   * @throws EmbedderFailed if the embedder itself fails or is closed
   * @throws ModelUnavailable if the model's server cannot be reached now
   * @throws ModelFailed if the server refuses a text, or its response has no vector of the right length
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /** Closes the embedder: calls in flight and later calls reject with `EmbedderFailed`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** The embedder failed or is closed. Unless it is closed, the next call may succeed. */
export class EmbedderFailed extends OwnError {
  override readonly name = 'EmbedderFailed';
  readonly code = 'EMBEDDER_FAILED';
}
