import { BrokenCircuitError, BulkheadRejectedError } from 'cockatiel';
import { APIError } from 'openai';
import { ModelFailed, ModelUnavailable } from '../domain/core/errors.ts';
import { describe, isTransient, mayBeMended, refusalStatus, retryAfter } from './refusal.ts';

/** When to try again if an operator must act first (a wrong key, an unknown model), in milliseconds. */
const RETRY_AFTER_FIX = 60_000;

/** A request failed with all its retries, while the server answers other requests. */
export class NotTheServer extends Error {
  override readonly name = 'NotTheServer';
  readonly failure: unknown;
  constructor(failure: unknown) {
    super();
    this.failure = failure;
  }
}

/** Translates a failure into the error for the caller. It has no `cause`: a server's message may quote the key or the text. */
export function explain(
  error: unknown,
  { apiKey, pause, clock }: { apiKey: string | null; pause: number; clock: () => Date },
): Error {
  const unavailable = (message: string, wait: number) =>
    new ModelUnavailable(message, new Date(clock().getTime() + wait));
  if (error instanceof BrokenCircuitError) {
    return unavailable("The model's server is not available.", pause);
  }
  if (error instanceof BulkheadRejectedError) {
    return unavailable("Too many requests are waiting for the model's server.", pause);
  }
  if (error instanceof NotTheServer) {
    const why = describe(error.failure, apiKey);
    const message = `The model's server fails at this request, and not at others (${why}).`;
    return new ModelFailed(message, { status: refusalStatus(error.failure) });
  }
  const why = describe(error, apiKey);
  if (mayBeMended(error)) {
    const advice = "Check the key, the base URL, the model's name or the credit.";
    return unavailable(`The model's server rejects requests (${why}). ${advice}`, RETRY_AFTER_FIX);
  }
  const wait = Math.max(retryAfter(error) ?? 0, pause);
  if (error instanceof APIError && error.status === 429) {
    return unavailable(`The model's server limits the rate of requests (${why}).`, wait);
  }
  if (isTransient(error)) return unavailable(`The model's server is not available (${why}).`, wait);
  const refusal = error instanceof APIError ? { status: error.status, param: error.param } : {};
  return new ModelFailed(`The model's server rejected the request (${why}).`, refusal);
}
