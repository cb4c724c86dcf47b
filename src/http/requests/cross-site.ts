import type { IncomingMessage } from 'node:http';
import { Refused } from '../errors/refused.ts';

/** Headers of which one is enough: a page of another site cannot set them without asking first (CORS pre-flight). */
const NOT_SIMPLE = [
  'authorization',
  'x-requested-with',
  'graphql-require-preflight',
  'apollo-require-preflight',
];
/** What a form or an image of any page may send as its content type. */
const SIMPLE_TYPE = /^\s*(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Refuses what a browser says to come from a page of another site, or of another port, that did not
 * have to name itself: an image, a form, a link.
 * @throws Refused
 */
export function refuseCrossSite({ headers }: IncomingMessage): void {
  // A page that names itself was let in by its name.
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
 * Refuses a request that any page could have made a browser send, without being allowed to
 * (CSRF): on a server that is open to its machine it would run.
 * @throws Refused
 */
export function requirePreflight({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  const isVouchedFor =
    NOT_SIMPLE.some((name) => headers[name] !== undefined) ||
    (type !== undefined && type !== '' && !SIMPLE_TYPE.test(type)) ||
    // The browser's own word, which no page can change; both were judged by now.
    headers.origin !== undefined ||
    headers['sec-fetch-site'] === 'same-origin';
  if (isVouchedFor) return;
  throw new Refused(
    403,
    'PREFLIGHT_REQUIRED',
    `Any web page could have sent this. Send one of these headers with it: ${NOT_SIMPLE.join(', ')}.`,
  );
}
