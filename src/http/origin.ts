import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Whether a browser sends this from a page that is not ours and not allowed. An open server also
 * refuses a Host that is not this machine's: a name that was pointed here (DNS rebinding).
 */
export function isForeignOrigin(
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
