import type { IncomingMessage, ServerResponse } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Whether a browser sends this from a page that is not ours and not allowed. An open server also
 * refuses a Host that is not this machine's: a name that was pointed here (DNS rebinding).
 */
export function isForeign(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowed: readonly string[],
  open: boolean,
): boolean {
  const host = headers.host ?? '';
  if (open && !LOOPBACK.test(host)) return true;
  const { origin } = headers;
  if (origin === undefined || allowed.includes(origin)) return false;
  return URL.canParse(origin) ? new URL(origin).host !== host : true;
}

/**
 * Lets an allowed page of another origin read the answer (CORS). Cookies are not asked for: who
 * calls shows itself by the Authorization header.
 */
export function allowOrigin(
  { headers }: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): void {
  if (allowed.length === 0) return;
  response.setHeader('vary', 'Origin');
  const { origin } = headers;
  if (origin === undefined || !allowed.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? 'authorization, content-type',
  );
  response.setHeader('access-control-max-age', '600');
}
