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
import { explain, NotTheServer } from './explain.ts';
import { orAbort } from './or-abort.ts';
import { isRefusal, isTransient, mayBeItsOwnFault, retryAfter } from './refusal.ts';

/** A request as small as can be, which a server that is well fulfils. */
export type Control = (client: OpenAI, signal: AbortSignal) => Promise<unknown>;

/** Where an OpenAI-compatible server is and how it is to be treated. */
export type EndpointOptions = {
  baseUrl: string;
  /** Null for servers that want none. */
  apiKey: string | null;
  /** Requests at a time; the others wait. */
  concurrency: number;
  /** How many may wait; further ones are turned away. Any number if left out. */
  queue?: number;
  /** Milliseconds for one request, its body included. */
  timeout: number;
  /** How often a request is repeated that met a 429, a 5xx or a broken connection. */
  retries: number;
  /** Milliseconds before the first repetition; doubled each time. */
  retryDelay: number;
  /** Milliseconds for which nothing is sent once the server is taken to be away. */
  pause: number;
  /** Tells whether a server is well that broke or hung at a request. Left out: it is taken to be away. */
  control?: Control;
  clock: () => Date;
};

/** A model's server behind a limit, time-outs, repetitions and a circuit breaker. */
export type Endpoint = {
  /**
   * Sends one request.
   * @param signal ends the request at any time
   * @param waiting ends it only until its turn comes: what is under way goes on
   * @throws ModelUnavailable when the server cannot be asked now
   * @throws ModelFailed when it answered, or failed, in a way that concerns this request alone
   */
  send<T>(
    request: (client: OpenAI, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    waiting?: AbortSignal,
  ): Promise<T>;
};

/** Longest wait for a Retry-After, in milliseconds; a longer one is left to the caller. */
const LONGEST_WAIT = 20_000;
/** Most milliseconds for the control request. */
const CONTROL_TIMEOUT = 30_000;

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
  const within = (milliseconds: number) => timeout(milliseconds, TimeoutStrategy.Aggressive);
  const once = within(options.timeout);
  const turns = bulkhead(options.concurrency, options.queue ?? Number.POSITIVE_INFINITY);
  // One request with its repetitions is enough to find the server away.
  const breaker = circuitBreaker(handleWhen(isTransient), {
    breaker: new ConsecutiveBreaker(1),
    halfOpenAfter: options.pause,
  });
  const isOpen = () => breaker.state !== CircuitState.Closed;
  const mayRepeat = (error: unknown) =>
    isTransient(error) && (retryAfter(error) ?? 0) <= LONGEST_WAIT && !isOpen();
  const repeat = retry(handleWhen(mayRepeat), {
    maxAttempts: options.retries,
    backoff: new DelegateBackoff(({ attempt, result }) => {
      const asked = 'error' in result ? retryAfter(result.error) : null;
      return asked ?? options.retryDelay * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
    }),
  });

  // The caller's signal ends the request alone: a caller who gives up says nothing about the server.
  const either = (ended: AbortSignal, signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([ended, signal]) : ended;

  const isWell = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const { control } = options;
    if (!control) return false;
    try {
      const limit = within(Math.min(options.timeout, CONTROL_TIMEOUT));
      await limit.execute(({ signal: ended }) => control(client, either(ended, signal)));
      return true;
    } catch (error) {
      return isRefusal(error);
    }
  };

  /** Inside the breaker, which a request must not open that fails by itself. */
  const tryAll = async <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    // Only the one request that tries whether the server is back comes here while the breaker is open.
    const isProbe = isOpen();
    try {
      return await (isProbe ? attempt() : repeat.execute(attempt));
    } catch (error) {
      const isKnown = isOpen() && !isProbe;
      if (signal?.aborted || isKnown || !mayBeItsOwnFault(error)) throw error;
      throw (await isWell(signal)) ? new NotTheServer(error) : error;
    }
  };

  return {
    async send(request, signal, waiting) {
      const unlessLeft = () => {
        signal?.throwIfAborted();
        waiting?.throwIfAborted();
      };
      const attempt = () =>
        once.execute(({ signal: ended }) => request(client, either(ended, signal)));
      const work = turns.execute(() => {
        unlessLeft();
        return breaker.execute(() => {
          // It may have waited for another one's probe.
          unlessLeft();
          return tryAll(attempt, signal);
        });
      });
      try {
        return await orAbort(work, signal);
      } catch (error) {
        unlessLeft();
        throw explain(error, options);
      }
    },
  };
}
