import type { IncomingMessage } from 'node:http';
import { Refused } from '../errors/refused.ts';

/** One of these headers is enough: a page of another site cannot set them without a CORS pre-flight request. */
const NOT_SIMPLE = [
  'authorization',
  'x-requested-with',
  'graphql-require-preflight',
  'apollo-require-preflight',
];
/** The content types that a form or an image of any page can send. */
const SIMPLE_TYPE = /^\s*(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Refuses requests that, by the browser's headers, come from a page of another site or port which did
 * not have to send its origin: by an image, a form or a link.
 * @throws Refused
 */
export function refuseCrossSite({ headers }: IncomingMessage): void {
  // A page that sends its origin was admitted by it.
  if (headers.origin !== undefined) return;
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  throw new Refused(
    403,
    'FORBIDDEN',
    'A page of another site may not call this as an image, a form or a link: only by a request with an Origin that CORS_ORIGINS names.',
  );
}

/**
 * Refuses requests that any page could make a browser send without permission (CSRF): on a server
 * that is open to its own machine they would be executed.
 * @throws Refused
 */
export function requirePreflight({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  const isVouchedFor =
    NOT_SIMPLE.some((name) => headers[name] !== undefined) ||
    (type !== undefined && type !== '' && !SIMPLE_TYPE.test(type)) ||
    // Headers that only the browser sets, and no page can change; both were checked by now.
    headers.origin !== undefined ||
    headers['sec-fetch-site'] === 'same-origin';
  if (isVouchedFor) return;
  throw new Refused(
    403,
    'PREFLIGHT_REQUIRED',
    `Any web page could have sent this. Send one of these headers with it: ${NOT_SIMPLE.join(', ')}.`,
  );
}
