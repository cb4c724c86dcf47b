import { TaskCancelledError } from 'cockatiel';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

/** The longest wait that is accepted from a server, in milliseconds. A longer one is a mistake, and is cut to this. */
const LONGEST_RETRY_AFTER = 3_600_000;

const isTimeout = (error: unknown): boolean =>
  error instanceof TaskCancelledError || error instanceof APIConnectionTimeoutError;

/** Whether the credit is used up. Some servers answer 429 then too, but waiting does not help. */
const isOutOfCredit = (error: APIError): boolean =>
  error.status === 402 || (error.status === 429 && error.code === 'insufficient_quota');

/** Whether the same request may succeed a little later: after a 429, a 5xx, a timeout or a broken connection. */
export function isTransient(error: unknown): boolean {
  if (isTimeout(error) || error instanceof APIConnectionError) return true;
  if (error instanceof APIError) {
    const status = error.status ?? 0;
    return status >= 500 || (status === 429 && !isOutOfCredit(error));
  }
  // fetch throws these when the connection breaks in the middle of a body.
  return error instanceof TypeError || (error as { code?: unknown }).code === 'UND_ERR_SOCKET';
}

/** Whether the request itself may have caused a transient failure: the server received it, then failed or timed out. */
export function mayBeItsOwnFault(error: unknown): boolean {
  if (isTimeout(error)) return true;
  return error instanceof APIError && error.status !== undefined && error.status !== 429
    ? isTransient(error)
    : false;
}

/** Whether all requests fail until an operator acts: a wrong key, an unknown model, no credit. */
export const mayBeMended = (error: unknown): boolean =>
  error instanceof APIError &&
  ([401, 403, 404].includes(error.status ?? 0) || isOutOfCredit(error));

/** Whether the server rejected the request as invalid, which shows that it is available. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 400 || error.status === 422);

/** The HTTP status of a failure, 408 for a timeout; undefined when there is none. */
export const refusalStatus = (error: unknown): number | undefined =>
  isTimeout(error) ? 408 : error instanceof APIError ? error.status : undefined;

/**
 * The wait that the server requests by `retry-after-ms` or `retry-after` (RFC 9110 §10.2.3), in milliseconds, an hour at
 * most; null if it requests none.
 */
export function retryAfter(error: unknown): number | null {
  if (!(error instanceof APIError)) return null;
  const milliseconds = Number(error.headers?.get('retry-after-ms') || Number.NaN);
  if (milliseconds >= 0 && Number.isFinite(milliseconds)) return bounded(milliseconds);
  const value = error.headers?.get('retry-after');
  if (!value) return null;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isFinite(wait) ? bounded(wait) : null;
}

const bounded = (wait: number): number => Math.min(Math.max(0, wait), LONGEST_RETRY_AFTER);

/** Describes an error by its status and codes. The server's message is left out, as are codes that contain the key. */
export function describe(error: unknown, apiKey: string | null): string {
  if (isTimeout(error)) return 'it took too long';
  if (!(error instanceof APIError) || error.status === undefined) return 'the connection failed';
  const codes = [error.code, error.type, error.param].filter(
    (code) =>
      typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) && !code.includes(apiKey ?? '\0'),
  );
  return [error.status, ...codes].join(' ');
}
