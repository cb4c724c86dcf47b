import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { CallerGone } from '../../domain/core/errors.ts';
import { giveWay } from '../../domain/core/give-way.ts';
import { Refused } from '../errors/refused.ts';
import { isTooDeep, MOST_LEVELS } from '../limits/json-depth.ts';
import { bodyParts } from './body-parts.ts';

/** A body that is too large is received and discarded, up to this many times the limit. */
const DISCARD = 8;
/** How long a body may take, in milliseconds: without receiving anything, and in total. */
const PATIENCE = { still: 30_000, total: 120_000 };

/** Parsing a longer body and checking its variables takes milliseconds, so one is parsed in each round of the event loop. In characters. */
const LARGE = 50_000;

/**
 * Reads and parses a request's JSON body and stores it in `request.body`, where the GraphQL server
 * looks first. (The server would also read the bytes itself, but copies them one by one: 1.7 s for 8 MB.)
 *
 * Accepts JSON only, so that a page of another site cannot send a mutation without a CORS preflight
 * request, which this server refuses.
 *
 * @param most the limit in bytes
 * @throws Refused
 */
export async function readBody(request: IncomingMessage, most: number): Promise<void> {
  const body = await readJson(request, most, '{"query": "…", "variables": {…}}');
  Object.assign(request, { body: requireOperation(body) });
}

/**
 * Reads and parses a JSON body, and accepts no other type.
 * @param most the limit in bytes
 * @param example what could be sent, for the refusal of an empty body
 * @throws Refused, or CallerGone if the client left before its turn
 */
export async function readJson(
  request: IncomingMessage,
  most: number,
  example = 'JSON',
): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/(graphql\+)?json\s*(;|$)/i.test(type)) {
    throw new Refused(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the operation as "content-type: application/json".',
    );
  }
  const text = await readText(request, most);
  if (text.trim() === '') {
    throw badRequest(`The request body is empty. Send ${example}.`);
  }
  // Many large bodies may have arrived together.
  if (text.length > LARGE) await giveWay();
  if (request.socket.destroyed) throw new CallerGone();
  return parseJson(text);
}

async function readText(request: IncomingMessage, most: number): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let size = 0;
  // Clients send first and read afterwards: they would not see a response before the end of the body.
  for await (const part of bodyParts(request, PATIENCE)) {
    size += part.length;
    // Each part is decoded as it arrives: decoding many megabytes at once would block the event loop.
    text = size <= most ? text + decoder.write(part) : '';
    if (size > most * DISCARD) break;
  }
  if (size <= most) return text + decoder.end();
  throw new Refused(
    413,
    'BODY_TOO_LARGE',
    `The request body is larger than ${most.toLocaleString('en')} bytes. Send fewer turns per call.`,
  );
}

function parseJson(text: string): unknown {
  if (isTooDeep(text))
    throw badRequest(`The request body nests more deeply than ${MOST_LEVELS} levels.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The request body is not JSON: ${(error as Error).message}.`);
  }
}

function requireOperation(body: unknown): object {
  if (Array.isArray(body)) {
    throw badRequest('Batching is not supported: send one operation per request, not a list.');
  }
  if (typeof body !== 'object' || body === null || !('query' in body)) {
    throw badRequest('There is no "query". Send {"query": "…", "variables": {…}}.');
  }
  return body;
}

const badRequest = (message: string) => new Refused(400, 'BAD_REQUEST', message);
