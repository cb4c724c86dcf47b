import { BrokenCircuitError, BulkheadRejectedError } from 'cockatiel';
import { APIError } from 'openai';
import { ModelFailed, ModelUnavailable } from '../domain/core/errors.ts';
import { describe, isTransient, mayBeMended, retryAfter, statusOf } from './refusal.ts';

/** How long to wait when only a person can help (a wrong key, an unknown model), in milliseconds. */
const MENDING = 60_000;

/** A request failed to the end, while the server does others. */
export class NotTheServer extends Error {
  override readonly name = 'NotTheServer';
  readonly failure: unknown;
  constructor(failure: unknown) {
    super();
    this.failure = failure;
  }
}

/** The error that a request's sender sees. Without a cause: what a server says may quote the key or the text. */
export function explain(
  error: unknown,
  { apiKey, pause, clock }: { apiKey: string | null; pause: number; clock: () => Date },
): Error {
  const unavailable = (message: string, wait: number) =>
    new ModelUnavailable(message, new Date(clock().getTime() + wait));
  if (error instanceof BrokenCircuitError) {
    return unavailable("The model's server is away.", pause);
  }
  if (error instanceof BulkheadRejectedError) {
    return unavailable("Too many requests wait for the model's server.", pause);
  }
  if (error instanceof NotTheServer) {
    const why = describe(error.failure, apiKey);
    const message = `The model's server fails at this request, and not at others (${why}).`;
    return new ModelFailed(message, { status: statusOf(error.failure) });
  }
  const why = describe(error, apiKey);
  if (mayBeMended(error)) {
    const advice = "Check the key, the base URL, the model's name or the credit.";
    return unavailable(`The model's server refuses us (${why}). ${advice}`, MENDING);
  }
  const wait = Math.max(retryAfter(error) ?? 0, pause);
  if (error instanceof APIError && error.status === 429) {
    return unavailable(`The model's server limits us (${why}).`, wait);
  }
  if (isTransient(error)) return unavailable(`The model's server is away (${why}).`, wait);
  const refusal = error instanceof APIError ? { status: error.status, param: error.param } : {};
  return new ModelFailed(`The model's server did not do it (${why}).`, refusal);
}
