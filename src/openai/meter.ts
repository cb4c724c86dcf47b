/** What one request to a model cost. */
export type Usage = {
  step: string;
  model: string;
  calls: number;
  promptTokens: number;
  /** Those of the prompt tokens that the server took from its cache. */
  cachedTokens: number;
  completionTokens: number;
};

/** Counts what models cost, and says when it is enough. */
export type Meter = {
  /** @throws ModelUnavailable when the day's tokens are spent */
  admit(): Promise<void>;
  /**
   * Never rejects: the work goes on without it.
   * @param userId null when the request served nobody in particular
   */
  record(userId: string | null, usage: Usage): Promise<void>;
};
