import {
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  TimeoutStrategy,
  timeout,
} from 'cockatiel';
import OpenAI from 'openai';
import { orAbort } from '../shared/or-abort.ts';
import { explain, NotTheServer } from './explain.ts';
import { isRefusal, isTransient, mayBeItsOwnFault, retryAfter } from './refusal.ts';

/** Sends a minimal request, which a healthy server answers. */
export type Control = (client: OpenAI, signal: AbortSignal) => Promise<unknown>;

/** The address of an OpenAI-compatible server, and the limits for requests to it. */
export type EndpointOptions = {
  baseUrl: string;
  /** Null for a server that requires none. */
  apiKey: string | null;
  /** The most concurrent requests; further ones wait. */
  concurrency: number;
  /** The most requests that wait; further ones are rejected. Default: no limit. */
  queue?: number;
  /** The time limit for one request including its body, in milliseconds. */
  timeout: number;
  /** How often a request is retried after a 429, a 5xx, a timeout or a broken connection. */
  retries: number;
  /** The delay before the first retry, in milliseconds; it doubles with each retry. */
  retryDelay: number;
  /** How long nothing is sent to a server that is considered unavailable, in milliseconds. */
  pause: number;
  /**
   * Checks whether the server is healthy after it failed or timed out at a request. Without it, such a server is
   * considered unavailable.
   */
  control?: Control;
  clock: () => Date;
};

/** A model's server behind a concurrency limit, timeouts, retries and a circuit breaker. */
export type Endpoint = {
  /**
   * Sends one request, with retries.
   * @param signal aborts the request at any time
   * @param waiting aborts it only while it waits for its turn: once sent, it continues
   * @throws ModelUnavailable when the server is not available now
   * @throws ModelFailed when the server rejected this request, or fails at this request alone
   * @throws the reason of the signal that was aborted
   */
  send<T>(
    request: (client: OpenAI, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    waiting?: AbortSignal,
  ): Promise<T>;
};

/** The longest Retry-After, in milliseconds, that is waited for here; after a longer one the request fails. */
const LONGEST_WAIT = 20_000;
/** The longest time limit for the control request, in milliseconds. */
const CONTROL_TIMEOUT = 30_000;

/** Creates the endpoint; nothing is sent yet. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The package requires a key; servers that need none ignore it.
    apiKey: options.apiKey ?? 'none',
    // By default the package would read these from the environment and send them to any server.
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: options.timeout,
  });
  const within = (milliseconds: number) => timeout(milliseconds, TimeoutStrategy.Aggressive);
  const perAttempt = within(options.timeout);
  const concurrency = bulkhead(options.concurrency, options.queue ?? Number.POSITIVE_INFINITY);
  // One request that failed with all its retries is enough to consider the server unavailable.
  const breaker = circuitBreaker(handleWhen(isTransient), {
    breaker: new ConsecutiveBreaker(1),
    halfOpenAfter: options.pause,
  });
  const isOpen = () => breaker.state !== CircuitState.Closed;
  const mayRetry = (error: unknown) =>
    isTransient(error) && (retryAfter(error) ?? 0) <= LONGEST_WAIT && !isOpen();
  const retries = retry(handleWhen(mayRetry), {
    maxAttempts: options.retries,
    backoff: new DelegateBackoff(({ attempt, result }) => {
      const requested = 'error' in result ? retryAfter(result.error) : null;
      return requested ?? options.retryDelay * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
    }),
  });

  // The caller's signal only reaches the request: an abort by the caller does not count as a failure of the server.
  const either = (expired: AbortSignal, signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([expired, signal]) : expired;

  const isHealthy = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const { control } = options;
    if (!control) return false;
    try {
      const limit = within(Math.min(options.timeout, CONTROL_TIMEOUT));
      await limit.execute(({ signal: expired }) => control(client, either(expired, signal)));
      return true;
    } catch (error) {
      return isRefusal(error);
    }
  };

  /** Runs inside the breaker. Throws NotTheServer, which does not open the breaker, if the request itself is the cause. */
  const tryAll = async <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    // While the breaker is open, it lets only one request through: the probe whether the server is back.
    const isProbe = isOpen();
    try {
      return await (isProbe ? attempt() : retries.execute(attempt));
    } catch (error) {
      const wasOpened = isOpen() && !isProbe;
      if (signal?.aborted || wasOpened || !mayBeItsOwnFault(error)) throw error;
      throw (await isHealthy(signal)) ? new NotTheServer(error) : error;
    }
  };

  return {
    async send(request, signal, waiting) {
      const throwIfAborted = () => {
        signal?.throwIfAborted();
        waiting?.throwIfAborted();
      };
      const attempt = () =>
        perAttempt.execute(({ signal: expired }) => request(client, either(expired, signal)));
      const work = concurrency.execute(() => {
        throwIfAborted();
        return breaker.execute(() => {
          // Again, because the breaker may have waited for the probe of another request.
          throwIfAborted();
          return tryAll(attempt, signal);
        });
      });
      try {
        return await orAbort(work, signal);
      } catch (error) {
        throwIfAborted();
        throw explain(error, options);
      }
    },
  };
}
