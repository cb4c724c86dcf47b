import {
  BrokenCircuitError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import OpenAI, { APIError } from 'openai';
import { ModelFailed, ModelUnavailable } from '../domain/errors.ts';
import { describe, isTransient, mayBeMended, retryAfter } from './refusal.ts';

/** Where an OpenAI-compatible server is and how it is to be treated. */
export type EndpointOptions = {
  baseUrl: string;
  /** Null for servers that want none. */
  apiKey: string | null;
  /** Requests at a time; the others wait. */
  concurrency: number;
  /** Milliseconds for one request, its body included. */
  timeout: number;
  /** How often a request is repeated that met a 429, a 5xx or a broken connection. */
  retries: number;
  /** Milliseconds before the first repetition; doubled each time. */
  retryDelay: number;
  /** Milliseconds for which nothing is sent once the server is taken to be away. */
  pause: number;
  clock: () => Date;
};

/** A model's server behind a limit, time-outs, repetitions and a circuit breaker. */
export type Endpoint = {
  /**
   * Sends one request.
   * @throws ModelUnavailable when the server cannot be asked now
   * @throws ModelFailed when it answered, or failed, in a way that concerns this request alone
   */
  send<T>(
    request: (client: OpenAI, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
};

/** Longest wait for a Retry-After, in milliseconds; a longer one is left to the caller. */
const LONGEST_WAIT = 20_000;
/** How long to wait when only a person can help (a wrong key, an unknown model), in milliseconds. */
const MENDING = 60_000;

export function createEndpoint(options: EndpointOptions): Endpoint {
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The package insists on a key; servers without one ignore it.
    apiKey: options.apiKey ?? 'none',
    // The environment's own settings must not reach a server that was chosen here.
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: options.timeout,
  });
  // One request with its repetitions is enough to find the server away.
  const breaker = circuitBreaker(handleWhen(isTransient), {
    breaker: new ConsecutiveBreaker(options.retries + 1),
    halfOpenAfter: options.pause,
  });
  const repeat = retry(
    handleWhen((error) => isTransient(error) && (retryAfter(error) ?? 0) <= LONGEST_WAIT),
    {
      maxAttempts: options.retries,
      backoff: new DelegateBackoff(({ attempt, result }) => {
        const asked = 'error' in result ? retryAfter(result.error) : null;
        return asked ?? options.retryDelay * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      }),
    },
  );
  const policy = wrap(
    repeat,
    breaker,
    bulkhead(options.concurrency, Number.POSITIVE_INFINITY),
    timeout(options.timeout, TimeoutStrategy.Aggressive),
  );

  const after = (milliseconds: number) => new Date(options.clock().getTime() + milliseconds);
  // Without a cause: what a server says may quote the key or the text that it was sent.
  const explain = (error: unknown): Error => {
    const why = describe(error, options.apiKey);
    if (error instanceof BrokenCircuitError) {
      return new ModelUnavailable("The model's server is away.", after(options.pause));
    }
    if (mayBeMended(error)) {
      const advice = "Check the key, the base URL and the model's name.";
      return new ModelUnavailable(
        `The model's server refuses us (${why}). ${advice}`,
        after(MENDING),
      );
    }
    const wait = Math.max(retryAfter(error) ?? 0, options.pause);
    if (error instanceof APIError && error.status === 429) {
      return new ModelUnavailable(`The model's server limits us (${why}).`, after(wait));
    }
    if (isTransient(error) && breaker.state !== CircuitState.Closed) {
      return new ModelUnavailable(`The model's server is away (${why}).`, after(wait));
    }
    const refusal = error instanceof APIError ? { status: error.status, param: error.param } : {};
    return new ModelFailed(`The model's server did not do it (${why}).`, refusal);
  };

  return {
    async send(request, signal) {
      try {
        // The caller's signal ends the request alone: a caller who gives up says nothing about the server.
        return await policy.execute(({ signal: ended }) =>
          request(client, signal ? AbortSignal.any([ended, signal]) : ended),
        );
      } catch (error) {
        signal?.throwIfAborted();

        throw explain(error);
      }
    },
  };
}
