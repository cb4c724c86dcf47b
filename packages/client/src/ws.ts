import { type Client, createClient } from 'graphql-ws';
import { MemoryError } from './errors.ts';
import type { Live, Opening } from './live.ts';
import { resultOf, type Server } from './server.ts';

/** Which WebSocket to use. */
export type WebSocketOptions = {
  /** Used instead of the runtime's own: `WebSocket` of the package "ws" in Node.js 20, which has none. */
  webSocket?: (new (url: string, protocols?: string | string[]) => unknown) | undefined;
};

/** How often to ask whether the server is still there, and how long it may take to answer, in milliseconds. */
const PING_EVERY = 12_000;
const PONG_WITHIN = 10_000;

/**
 * Follows subscriptions over one WebSocket that all streams of a client share, instead of server-sent events: for pages with
 * several streams, of which a browser allows six to a host over HTTP/1.1. Needs the package "graphql-ws".
 */
export function overWebSocket({ webSocket }: WebSocketOptions = {}): Live {
  const sockets = new WeakMap<Server, Socket>();
  return (server, opening) => {
    const socket = sockets.get(server) ?? createSocket(server, webSocket);
    sockets.set(server, socket);
    return resultsOf(socket, opening);
  };
}

type Socket = {
  client: Client;
  /** Calls a function when the server has accepted the connection, at once if it has. @returns a function that gives it up */
  onceOpen(call: () => void): () => void;
};

function createSocket(server: Server, webSocketImpl: WebSocketOptions['webSocket']): Socket {
  let isOpen = false;
  let late: ReturnType<typeof setTimeout> | undefined;
  const client = createClient({
    url: `${server.url.replace(/^http/, 'ws')}/graphql`,
    ...(webSocketImpl ? { webSocketImpl } : {}),
    connectionParams: async () => {
      const authorization = await server.authorization();
      return authorization === undefined ? {} : { authorization };
    },
    // Lost connections are opened again by the stream, which knows its cursor.
    retryAttempts: 0,
    keepAlive: PING_EVERY,
    on: {
      connected: () => {
        isOpen = true;
      },
      closed: () => {
        isOpen = false;
        clearTimeout(late);
      },
      ping: (isReceived) => {
        if (!isReceived) late = setTimeout(() => client.terminate(), PONG_WITHIN);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(late);
      },
    },
  });
  return {
    client,
    onceOpen(call) {
      if (isOpen) call();
      return isOpen ? () => undefined : client.on('connected', call);
    },
  };
}

/** The results of one subscription, as they come. Yields null when the server has accepted the connection. */
async function* resultsOf<Data>(
  { client, onceOpen }: Socket,
  { timeout, signal, ...operation }: Opening,
): AsyncGenerator<Data | null> {
  const waiting: (Data | null)[] = [];
  let end: { error?: unknown } | undefined;
  let wake: () => void = () => undefined;
  const put = (item: Data | null) => {
    waiting.push(item);
    wake();
  };
  const stop = (how: { error?: unknown }) => {
    end ??= how;
    wake();
  };
  const give = () => stop({ error: signal?.reason });
  signal?.addEventListener('abort', give, { once: true });
  if (signal?.aborted) give();
  const late = new MemoryError('TIMEOUT', `The server was silent for ${timeout} ms.`, {
    retryable: true,
  });
  const timer = setTimeout(() => {
    stop({ error: late });
    client.terminate();
  }, timeout);
  const unlisten = onceOpen(() => {
    clearTimeout(timer);
    put(null);
  });
  const leave = client.subscribe<Data>(operation as { query: string }, {
    next(result) {
      try {
        put(resultOf<Data>(result as never));
      } catch (error) {
        stop({ error });
      }
    },
    error: (error) => stop({ error: failureOf(error) }),
    complete: () => stop({}),
  });
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as Data | null;
      if (end && 'error' in end) throw end.error;
      if (end) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', give);
    unlisten();
    leave();
  }
}

/** Why the server has closed a connection for good. All other reasons pass. */
const FINAL: Record<number, string> = {
  4400: 'BAD_REQUEST',
  4403: 'UNAUTHENTICATED',
  4500: 'BAD_ANSWER',
};

/** The error for what ended a subscription: errors of the answer, a close of the connection, or its failure. */
function failureOf(failure: unknown): unknown {
  if (Array.isArray(failure)) {
    try {
      return resultOf({ errors: failure });
    } catch (error) {
      return error;
    }
  }
  const { code, reason, message } = failure as {
    code?: unknown;
    reason?: string;
    message?: string;
  };
  // What `token` has thrown, for example.
  if (failure instanceof Error && typeof code !== 'number') return failure;
  const why = reason || message || 'no reason was given';
  const final = typeof code === 'number' ? FINAL[code] : undefined;
  if (final !== undefined) return new MemoryError(final, why);
  const text = `The server cannot be reached, or the connection was lost: ${why}`;
  return new MemoryError('UNREACHABLE', text, { retryable: true, cause: failure });
}
