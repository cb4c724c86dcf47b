import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthenticator } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { createArchives } from './archive.ts';
import { createGraphiQL } from './graphiql.ts';
import { createGraphQLServer } from './graphql.ts';
import { serveMetrics } from './metrics.ts';
import { observeRequest } from './observe-request.ts';
import { allowOrigin, isForeign } from './origin.ts';
import { readBody } from './read-body.ts';
import { createReadiness } from './ready.ts';
import { Refused, refuse } from './refused.ts';
import { createSockets } from './sockets.ts';

export type Server = AsyncDisposable & { url: string };

/** How long requests under way may take when the server stops, in milliseconds. */
const FINISH = 2_000;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Serves the graph over HTTP, SSE and WebSocket on one port, with GraphiQL, /healthz, /readyz and /metrics. */
export async function startServer(ctx: Context): Promise<Server> {
  const { host, port, maxBodyBytes, corsOrigins, graphiql } = ctx.config.server;
  const authenticate = createAuthenticator(ctx);
  const graphql = createGraphQLServer(ctx, authenticate);
  const sockets = createSockets(ctx, graphql, authenticate);
  const serveArchives = createArchives(ctx, authenticate);
  const serveGraphiQL = graphiql ? createGraphiQL() : null;
  const serveReadiness = createReadiness(ctx);
  const streams = new Set<ServerResponse>();
  const foreign = (request: IncomingMessage) =>
    isForeign(request, corsOrigins, ctx.config.auth.openWithoutKeys);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const path = pathOf(request);
    if (path === '/healthz') return response.end('ok');
    if (path === '/readyz') return serveReadiness(response);
    if (foreign(request)) {
      throw new Refused(403, 'FORBIDDEN', 'This page or host name may not call; see CORS_ORIGINS.');
    }
    allowOrigin(request, response, corsOrigins);
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (path === '/metrics') return serveMetrics(ctx, authenticate, request, response);
    if (path === '/') return response.writeHead(302, { location: '/graphql' }).end();
    if (await serveArchives(path, request, response)) return undefined;
    const served = await serveGraphiQL?.(path, request, response);
    return served || execute(path, request, response);
  };

  const execute = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    if (path !== '/graphql') throw new Refused(404, 'NOT_FOUND', 'The graph is at /graphql.');
    if (request.method === 'POST') await readBody(request, maxBodyBytes);
    if (request.headers.accept?.includes('text/event-stream')) {
      streams.add(response);
      response.once('close', () => streams.delete(response));
    }
    await graphql(request, response);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await answer(request, response);
    } catch (error) {
      if (error instanceof Refused) return refuse(response, error);
      ctx.logger.warn({ err: error }, 'request.aborted');
      response.destroy();
    }
  };

  const http = createServer((request, response) => {
    void observeRequest(ctx, request, response, pathOf(request), () => handle(request, response));
  });
  http.on('upgrade', (request, socket, head) => {
    if (pathOf(request) !== '/graphql') socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    else if (foreign(request)) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else sockets.upgrade(request, socket, head);
  });

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const address = http.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host;
  return {
    url: `http://${name}:${address.port}/graphql`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      const force = setTimeout(() => http.closeAllConnections(), FINISH);
      for (const stream of streams) stream.destroy();
      await sockets[Symbol.asyncDispose]();
      await closed;
      clearTimeout(force);
      await graphql.dispose();
    },
  };
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] as string;
