import { Agent, request as httpRequest } from 'node:http';

/** A hostile request. */
export type HostileRequest = {
  /** The body: JSON, or anything else. */
  body?: string;
  /** The path and query from the root of the server. */
  path?: string;
  method?: string;
  headers?: Record<string, string>;
};

/** The response; `status` 0 if there was none. */
export type HostileAnswer = {
  status: number;
  bytes: number;
  seconds: number;
  /** The beginning of the response, or the error. */
  text: string;
};

/** How many bytes of a response are kept. */
const KEPT = 4_000_000;
const WITHIN = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

/**
 * Sends a request with a token and waits for the whole response; never throws. If the server just closed the kept-alive
 * connection because it was idle, the request is sent once more.
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

/** Closes the kept-alive connections. */
export const endCalls = (): void => agent.destroy();
