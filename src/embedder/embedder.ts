/** How urgent a call is: a user waits for a `query`, nobody waits for a `batch`. */
export type Priority = 'query' | 'batch';

/** Turns texts into vectors. */
export type Embedder = {
  /** The model and its version. Stored beside each vector: vectors of different names do not compare. */
  readonly name: string;
  /** The length of a vector. */
  readonly dimension: number;
  /**
   * One vector of `dimension` and Euclidean length 1 for each text, in the texts' order; they are the caller's own. Any
   * text will do, the empty one included. Throws `EmbedderFailed`, or the signal's reason once it is aborted.
   */
  embed(
    texts: readonly string[],
    options: { priority: Priority; signal?: AbortSignal },
  ): Promise<Float32Array[]>;
  /** Rejects what is in flight and later calls with `EmbedderFailed`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** The embedder could not do its work; the next call may succeed unless it was closed. */
export class EmbedderFailed extends Error {
  override readonly name = 'EmbedderFailed';
  readonly code = 'EMBEDDER_FAILED';
}
