import { TaskCancelledError } from 'cockatiel';
import { APIConnectionError, APIError } from 'openai';

/** Whether the same request may well succeed a little later: a 429, a 5xx, a broken connection, silence. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TaskCancelledError || error instanceof APIConnectionError) return true;
  if (error instanceof APIError) return error.status === 429 || (error.status ?? 0) >= 500;
  // What fetch says when the connection breaks in the middle of a body.
  return error instanceof TypeError || (error as { code?: unknown }).code === 'UND_ERR_SOCKET';
}

/** Whether no request will succeed until a person changes a setting: a wrong key, an unknown model. */
export const mayBeMended = (error: unknown): boolean =>
  error instanceof APIError && [401, 403, 404].includes(error.status ?? 0);

/** The milliseconds that the server asks us to wait, of `retry-after-ms` or `retry-after` (RFC 9110 §10.2.3). */
export function retryAfter(error: unknown): number | null {
  if (!(error instanceof APIError)) return null;
  const milliseconds = Number(error.headers?.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = error.headers?.get('retry-after');
  if (!value) return null;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** What of an error can be shown: status and codes, never the server's own words. */
export function describe(error: unknown, apiKey: string | null): string {
  if (error instanceof TaskCancelledError) return 'it took too long';
  if (!(error instanceof APIError) || error.status === undefined) return 'the connection failed';
  const codes = [error.code, error.type, error.param].filter(
    (code) =>
      typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) && !code.includes(apiKey ?? '\0'),
  );
  return [error.status, ...codes].join(' ');
}
