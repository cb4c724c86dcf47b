import { Agent, request as httpRequest } from 'node:http';

/** A request that nobody who means well would send. */
export type HostileRequest = {
  /** JSON text, or what is sent in its place. */
  body?: string;
  /** From the root of the server. */
  path?: string;
  method?: string;
  headers?: Record<string, string>;
};

/** What came back: `status` 0 where nothing did. */
export type HostileAnswer = {
  status: number;
  bytes: number;
  seconds: number;
  /** The beginning of the answer, or what went wrong. */
  text: string;
};

/** What of an answer is kept: more of it says no more. */
const KEPT = 4_000_000;
const WITHIN = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

/**
 * Sends a request with a token, as it is, and waits for all of the answer; never throws. A connection that was kept open may
 * have been closed by the server just now, for having been idle: then it is sent once more.
 */
export async function call(
  url: string,
  token: string | null,
  request: HostileRequest,
): Promise<HostileAnswer> {
  const began = performance.now();
  const first = await send(url, token, request);
  const answer = first.wasClosed ? await send(url, token, request) : first;
  const { wasClosed, ...rest } = answer;
  return { ...rest, seconds: (performance.now() - began) / 1000 };
}

type Sent = Omit<HostileAnswer, 'seconds'> & { wasClosed: boolean };

function send(
  url: string,
  token: string | null,
  { body, path = '/graphql', method = 'POST', headers = {} }: HostileRequest,
): Promise<Sent> {
  return new Promise((resolve) => {
    let bytes = 0;
    const kept: Buffer[] = [];
    const done = (status: number, text: string, wasClosed = false) =>
      resolve({ status, bytes, text, wasClosed });
    const outgoing = httpRequest(
      new URL(path, url),
      {
        agent,
        method,
        timeout: WITHIN,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...headers,
        },
      },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          if (bytes < KEPT) kept.push(chunk);
          bytes += chunk.length;
        });
        response.on('end', () => done(response.statusCode ?? 0, Buffer.concat(kept).toString()));
        response.on('error', ({ message }) => done(0, message));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${WITHIN / 1000} s`)));
    outgoing.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      done(0, message, outgoing.reusedSocket && code === 'ECONNRESET'),
    );
    outgoing.end(body);
  });
}

/** The body of an operation. */
export const operation = (query: string, variables: object = {}): string =>
  JSON.stringify({ query, variables });

/** Ends the connections that are kept open. */
export const endCalls = (): void => agent.destroy();
