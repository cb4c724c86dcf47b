import type { IncomingMessage } from 'node:http';
import { Refused } from '../errors/refused.ts';

/** One of these headers is enough: a page of another site cannot set them without a CORS preflight request. */
const NOT_SIMPLE = [
  'authorization',
  'x-requested-with',
  'graphql-require-preflight',
  'apollo-require-preflight',
];
/** The content types that a form or an image of any page can send. */
const SIMPLE_TYPE = /^\s*(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Refuses requests that come, according to the browser's headers, from a page of another site or port and
 * have no Origin: images, forms and links.
 * @throws Refused
 */
export function refuseCrossSite({ headers }: IncomingMessage): void {
  // Requests with an Origin were checked by `refuseForeign`.
  if (headers.origin !== undefined) return;
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  throw new Refused(
    403,
    'FORBIDDEN',
    'A page of another site may call this only by a request whose Origin is listed in CORS_ORIGINS; images, forms and links are refused.',
  );
}

/**
 * Refuses requests that any web page could make a browser send without permission (CSRF): a server that
 * is open to its own machine would execute them.
 * @throws Refused
 */
export function requirePreflight({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  const isSafe =
    NOT_SIMPLE.some((name) => headers[name] !== undefined) ||
    (type !== undefined && type !== '' && !SIMPLE_TYPE.test(type)) ||
    // Only the browser sets these headers; pages cannot change them. Both have been checked before.
    headers.origin !== undefined ||
    headers['sec-fetch-site'] === 'same-origin';
  if (isSafe) return;
  throw new Refused(
    403,
    'PREFLIGHT_REQUIRED',
    `Any web page could have sent this. Send one of these headers with it: ${NOT_SIMPLE.join(', ')}.`,
  );
}
