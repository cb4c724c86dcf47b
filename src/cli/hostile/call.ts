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

/** Sends a request with a token, as it is, and waits for all of the answer; never throws. */
export function call(
  url: string,
  token: string | null,
  { body, path = '/graphql', method = 'POST', headers = {} }: HostileRequest,
): Promise<HostileAnswer> {
  const began = performance.now();
  return new Promise((resolve) => {
    let bytes = 0;
    const kept: Buffer[] = [];
    const done = (status: number, text: string) =>
      resolve({ status, bytes, seconds: (performance.now() - began) / 1000, text });
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
    outgoing.on('error', ({ message }) => done(0, message));
    outgoing.end(body);
  });
}

/** The body of an operation. */
export const operation = (query: string, variables: object = {}): string =>
  JSON.stringify({ query, variables });

/** Ends the connections that are kept open. */
export const endCalls = (): void => agent.destroy();
