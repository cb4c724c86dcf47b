/** Why a model of this process cannot be used now. */
export type ModelTrouble = { reason: 'MODEL_LOADING' | 'MODEL_FAILED'; message: string };

/** A model that this process loads itself. */
export type LoadingModel = {
  /** Null when it can be used. Loads it anew if it failed long enough ago. */
  trouble(): ModelTrouble | null;
};
