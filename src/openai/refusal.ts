import { TaskCancelledError } from 'cockatiel';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

/** A server that asks for more is mistaken, or would be back long before; in milliseconds. */
const LONGEST_RETRY_AFTER = 3_600_000;

const isTimeout = (error: unknown): boolean =>
  error instanceof TaskCancelledError || error instanceof APIConnectionTimeoutError;

/** Some servers answer 429 also when nothing is left to pay with: waiting does not help. */
const isOutOfCredit = (error: APIError): boolean =>
  error.status === 402 || (error.status === 429 && error.code === 'insufficient_quota');

/** Whether the same request may well succeed a little later: a 429, a 5xx, a broken connection, silence. */
export function isTransient(error: unknown): boolean {
  if (isTimeout(error) || error instanceof APIConnectionError) return true;
  if (error instanceof APIError) {
    const status = error.status ?? 0;
    return status >= 500 || (status === 429 && !isOutOfCredit(error));
  }
  // What fetch says when the connection breaks in the middle of a body.
  return error instanceof TypeError || (error as { code?: unknown }).code === 'UND_ERR_SOCKET';
}

/** Whether a transient failure may be this one request's fault: the server had it, and broke or hung. */
export function mayBeItsOwnFault(error: unknown): boolean {
  if (isTimeout(error)) return true;
  return error instanceof APIError && error.status !== undefined && error.status !== 429
    ? isTransient(error)
    : false;
}

/** Whether no request will succeed until a person helps: a wrong key, an unknown model, no credit. */
export const mayBeMended = (error: unknown): boolean =>
  error instanceof APIError &&
  ([401, 403, 404].includes(error.status ?? 0) || isOutOfCredit(error));

/** Whether the server read the request and did not like it: it is there. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 400 || error.status === 422);

/** The status of a failure; silence is told as 408. */
export const statusOf = (error: unknown): number | undefined =>
  isTimeout(error) ? 408 : error instanceof APIError ? error.status : undefined;

/** The milliseconds that the server asks us to wait, of `retry-after-ms` or `retry-after` (RFC 9110 §10.2.3). */
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

/** What of an error can be shown: status and codes, never the server's own words. */
export function describe(error: unknown, apiKey: string | null): string {
  if (isTimeout(error)) return 'it took too long';
  if (!(error instanceof APIError) || error.status === undefined) return 'the connection failed';
  const codes = [error.code, error.type, error.param].filter(
    (code) =>
      typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) && !code.includes(apiKey ?? '\0'),
  );
  return [error.status, ...codes].join(' ');
}
