import { MemoryError } from './errors.ts';

/** How long a call may take, and how its caller gives it up. */
export type CallOptions = {
  /** Milliseconds for the whole call with all its attempts. */
  timeout?: number | undefined;
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
};

const FIRST = 200;
const LONGEST = 5_000;

/**
 * How many milliseconds to wait before the next attempt: twice as long each time, and never shorter than the server says.
 * By chance a little longer or shorter, so that clients do not come back all at once.
 */
export function pauseBefore(attempt: number, retryAfter?: number): number {
  const most = Math.min(FIRST * 2 ** attempt, LONGEST);
  const jitter = Math.random() * (most / 2);
  return retryAfter === undefined ? most / 2 + jitter : retryAfter * 1000 + jitter;
}

/** What decides whether a call is tried again. */
export type Patience = {
  retries: number;
  /** Whether it does no more when it is sent twice. */
  isRepeatable: boolean;
  /** Whether the server may accept other credentials than those that it has refused. */
  canRenew: boolean;
  /** In milliseconds since the epoch. */
  deadline?: number;
};

/** What has failed so far: how many attempts, and whether other credentials were asked for since the server accepted some. */
export type Failures = { count: number; hasRenewed: boolean };

/** How many milliseconds to wait after a failed attempt; null if it must not be tried again. Notes in `so` that credentials are renewed. */
export function waitAfter(
  error: unknown,
  so: Failures,
  { retries, isRepeatable, canRenew, deadline = Number.POSITIVE_INFINITY }: Patience,
): number | null {
  if (!(error instanceof MemoryError)) return null;
  if (error.code === 'UNAUTHENTICATED' && canRenew && !so.hasRenewed) {
    so.hasRenewed = true;
    return so.count === 0 ? 0 : pauseBefore(so.count);
  }
  if (!error.retryable || so.count >= retries) return null;
  // Whether the server has done it is unknown.
  if (error.code === 'UNREACHABLE' && !isRepeatable) return null;
  const wait = pauseBefore(so.count, error.retryAfter);
  return Date.now() + wait > deadline ? null : wait;
}

/** Waits. @throws the signal's reason when it is aborted meanwhile */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const give = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', give, { once: true });
  });
}

/** Waits for work that does not know the signal. @throws the signal's reason when it is aborted meanwhile */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal?.reason);
    if (signal?.aborted) give();
    signal?.addEventListener('abort', give, { once: true });
    const leave = () => signal?.removeEventListener('abort', give);
    void work.then(resolve, reject).then(leave);
  });
}

/** Runs work with a signal that is aborted when the time is up or the caller gives up. */
export async function within<T>(
  { timeout = 0, signal }: CallOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const give = () => own.abort(signal?.reason);
  if (signal?.aborted) give();
  signal?.addEventListener('abort', give, { once: true });
  const late = new MemoryError('TIMEOUT', `There was no answer within ${timeout} ms.`, {
    retryable: true,
  });
  const timer = setTimeout(() => own.abort(late), timeout);
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', give);
  }
}
