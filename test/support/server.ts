import { once } from 'node:events';
import { type ClientOptions, createClient, type Client as SocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { App, Overrides } from '../../src/app.ts';
import { startServer } from '../../src/http/server.ts';
import { createWorld, userToken, type World } from './world.ts';

/** Settings of a server without credentials, which is open to this machine as the user `local`. */
export const OPEN = { JWT_SECRET: '' };

export type Answer = {
  status: number;
  headers: Headers;
  body: { data?: never; errors?: { message: string; path?: string[]; extensions: Extensions }[] };
};
type Extensions = { code?: string; issues?: { path: string; message: string }[] };

/** A world with a real HTTP server on a port of its own. */
export type TestServer = AsyncDisposable & {
  world: World;
  /** Such as http://127.0.0.1:1234, without a path. */
  origin: string;
  /** Sends an operation, or any other body. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a client of the WebSocket protocol, which is closed with the server. */
  socket(params?: Record<string, unknown>, options?: Partial<ClientOptions>): SocketClient;
  /** Runs a subscription by server-sent events. */
  stream(body: object, headers?: Record<string, string>): Promise<EventStream>;
  /** Stops only the HTTP server, even if clients are connected. */
  stop(): Promise<void>;
};

/** Creates a world and serves it. */
export async function createTestServer(
  settings: Record<string, string> = {},
  overrides: Overrides = {},
  change: (ctx: App) => App = (ctx) => ctx,
): Promise<TestServer> {
  const world = await createWorld({ PORT: '0', EMBEDDER: 'none', ...settings }, overrides);
  const served = await serve(change(world.ctx));
  return {
    ...served,
    world,
    async [Symbol.asyncDispose]() {
      await served.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Starts an HTTP server on a context. */
export async function serve(ctx: App) {
  const server = await startServer(ctx);
  const origin = `http://127.0.0.1:${new URL(server.url).port}`;
  const url = `${origin}/graphql`;
  const sockets: SocketClient[] = [];
  const json = { 'content-type': 'application/json' };
  let stopped: PromiseLike<void> | undefined;
  const stop = async () => {
    stopped ??= server[Symbol.asyncDispose]();
    await stopped;
    for (const socket of sockets) await socket.dispose();
  };
  return {
    origin,
    async post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const { status } = response;
      return { status, headers: response.headers, body: (await response.json()) as never };
    },
    socket(params: Record<string, unknown> = {}, options: Partial<ClientOptions> = {}) {
      const socket = createClient({
        url: url.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: params,
        retryAttempts: 0,
        ...options,
      });
      sockets.push(socket);
      return socket;
    },
    stream: (body: object, headers: Record<string, string> = {}) =>
      openStream(url, { ...json, ...headers }, body),
    stop,
  };
}

export type EventStream = AsyncDisposable & {
  status: number;
  /** Returns how many comments were received so far: the server's heartbeats. */
  heartbeats(): number;
  /** Returns the next result; null when the stream is complete. */
  next(): Promise<Record<string, never> | null>;
};

async function openStream(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    signal: abort.signal,
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify(body),
  });
  let beats = 0;
  const results = (async function* read() {
    for await (const block of blocks(response.body as ReadableStream<Uint8Array>)) {
      if (block.startsWith(':')) beats++;
      if (block.startsWith('event: complete')) return;
      if (block.startsWith('event: next')) yield JSON.parse(block.split('\ndata: ')[1] as string);
    }
  })();
  return {
    status: response.status,
    heartbeats: () => beats,
    next: async () => (await results.next()).value ?? null,
    async [Symbol.asyncDispose]() {
      abort.abort();
    },
  };
}

/** Yields the blocks between empty lines. */
async function* blocks(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    const found = (text + decoder.decode(part, { stream: true })).split('\n\n');
    text = found.pop() ?? '';
    yield* found;
  }
}

/** Sends these parameters over a plain connection. Returns the code and reason with which the server closes it. */
export async function closedWith(
  { origin }: { origin: string },
  params: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<[code: number, reason: string]> {
  return endOf(await openSocket(origin, params, headers));
}

/** Sends these parameters and waits until the server accepts them. @returns how it closes the connection later */
export async function accepted(
  { origin }: { origin: string },
  params: Record<string, unknown>,
): Promise<{ closed: Promise<[code: number, reason: string]> }> {
  const socket = await openSocket(origin, params);
  const closed = endOf(socket);
  await once(socket, 'message');
  return { closed };
}

async function openSocket(
  origin: string,
  params: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers,
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: params }));
  return socket;
}

async function endOf(socket: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = await once(socket, 'close');
  return [code as number, String(reason)];
}

/** Returns the headers or connection parameters of a user. */
export const asUser = async (userId: string, expires?: string) => ({
  authorization: `Bearer ${await userToken(userId, expires)}`,
});
