import type { Print } from './documents.ts';
import { type AnswerError, errorOf, isTemporary, MemoryError } from './errors.ts';
import type { Live } from './live.ts';
import { orAborted } from './waiting.ts';

/** Where the server is, who asks, and how patiently. */
export type MemoryOptions = {
  /** The address of the server, such as https://memory.example.com; a path before `/graphql` is kept. */
  url: string;
  /** A user token (JWT), or a function that returns one: it is called for each request, and again when the server refuses it. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** An API key, which acts for many users: choose one with `as`. */
  apiKey?: string | undefined;
  /** How often a call is tried again; 4 by default. */
  retries?: number | undefined;
  /** Milliseconds for a call with all its attempts; 30,000 by default. */
  timeout?: number | undefined;
  /** Gives up everything that this client does. */
  signal?: AbortSignal | undefined;
  /** Used instead of the runtime's own. */
  fetch?: typeof fetch | undefined;
  /** How subscriptions are followed: over server-sent events, or over `overWebSocket()` of "@mnemograph/client/ws". */
  live?: Live | undefined;
  /** `print` of the package "graphql", if `request` gets parsed documents. */
  print?: Print | undefined;
};

type Answer = { data?: unknown; errors?: readonly AnswerError[] };
type Init = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };

/** Sends requests with the caller's credentials. */
export type Server = {
  /** The address before `/graphql`. */
  url: string;
  /** The credentials of a request, for its header `authorization`. @throws MemoryError when `token` fails, or the signal's reason */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** @throws MemoryError when the server cannot be reached, or the signal's reason */
  fetch(path: string, init: Init, signal: AbortSignal): Promise<Response>;
  /** Whether there may be other credentials than those that the server has refused. */
  canRenew: boolean;
};

export function createServer(options: MemoryOptions): Server {
  const { token, apiKey, fetch: send = fetch } = options;
  const url = options.url.replace(/\/(graphql\/?)?$/, '');
  const authorization = async (signal?: AbortSignal) => {
    const given = typeof token === 'function' ? await orAborted(ask(token), signal) : token;
    const secret = given ?? apiKey;
    return secret ? `Bearer ${secret}` : undefined;
  };
  return {
    url,
    authorization,
    canRenew: typeof token === 'function',
    async fetch(path, init, signal) {
      const credentials = await authorization(signal);
      const headers = credentials ? { ...init.headers, authorization: credentials } : init.headers;
      try {
        return await send(`${url}${path}`, { ...init, headers, signal });
      } catch (cause) {
        throw unreachable(cause, signal);
      }
    },
  };
}

/** Asks the application for a token. @throws MemoryError when it fails */
async function ask(token: () => string | Promise<string>): Promise<string> {
  try {
    return await token();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause;
    throw new MemoryError('NO_TOKEN', `The function \`token\` failed: ${why}`, { cause });
  }
}

/** The error for a connection that failed: the signal's reason if that is why. */
export function unreachable(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  // The error of Node.js says "fetch failed", and only its cause says why.
  const { cause: reason = cause } = cause as { cause?: unknown };
  const message = `The server cannot be reached, or the connection was lost: ${reason instanceof Error ? reason.message : reason}`;
  return new MemoryError('UNREACHABLE', message, { retryable: true, cause });
}

/** Returns the data of an answer. @throws MemoryError for an answer with errors, or of something other than the server */
export async function dataOf<Data>(response: Response, signal: AbortSignal): Promise<Data> {
  const text = await response.text().catch((cause) => {
    throw unreachable(cause, signal);
  });
  return resultOf<Data>(parse(text, response), response);
}

/** Returns the data of a result. @param response that brought it, if it came by HTTP @throws MemoryError */
export function resultOf<Data>({ data, errors }: Answer, response?: Response): Data {
  if (errors?.length) throw errorOf(errors, response?.status, response && retryAfterOf(response));
  if (data !== undefined && data !== null) return data as Data;
  throw response
    ? badAnswer(response, 'no data')
    : new MemoryError('BAD_ANSWER', 'There was no data.');
}

function parse(text: string, response: Response): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Told below.
  }
  throw badAnswer(response, `"${text.slice(0, 200)}"`);
}

/** An answer that is not of the server: of a proxy before it, or of something else at this address. */
function badAnswer(response: Response, what: string): MemoryError {
  const { status } = response;
  const isBroken = status === 502 || status === 504;
  return new MemoryError(
    isBroken ? 'UNREACHABLE' : 'BAD_ANSWER',
    `The answer was ${status}, ${what}.`,
    {
      status,
      retryable: isBroken || isTemporary(status),
      retryAfter: retryAfterOf(response),
    },
  );
}

/** What the header says, in seconds; a date is left to the usual pauses. */
function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '');
  return Number.isFinite(seconds) ? seconds : undefined;
}
