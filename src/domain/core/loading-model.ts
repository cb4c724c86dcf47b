/** Why a local model cannot be used now. */
export type ModelTrouble = { reason: 'MODEL_LOADING' | 'MODEL_FAILED'; message: string };

/** A local model, which this process loads. */
export type LoadingModel = {
  /** Null if it can be used. If loading failed long enough ago, this starts it again. */
  trouble(): ModelTrouble | null;
};
