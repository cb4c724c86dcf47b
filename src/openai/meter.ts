/** The number of requests of one step to a model, and the tokens that they used. */
export type Usage = {
  step: string;
  model: string;
  calls: number;
  promptTokens: number;
  /** The prompt tokens that the server read from its cache; included in `promptTokens`. */
  cachedTokens: number;
  completionTokens: number;
};

/** Counts the tokens that models use, and enforces the daily limit. */
export type Meter = {
  /** Checks the daily limit before a request. @throws ModelUnavailable when the day's tokens are used up */
  admit(): Promise<void>;
  /**
   * Records the usage of a request. Never rejects: a failure here must not lose the model's answer.
   * @param userId null when the request was not made for a user
   */
  record(userId: string | null, usage: Usage): Promise<void>;
};
