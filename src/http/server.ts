import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpContext } from '../context.ts';
import { CallerGone, InvalidSetting } from '../domain/core/errors.ts';
import { createArchives } from './endpoints/archive.ts';
import { createConsole } from './endpoints/console.ts';
import { createGraphiQL } from './endpoints/graphiql.ts';
import type { ServeMcp } from './endpoints/mcp.ts';
import { serveMetrics } from './endpoints/metrics.ts';
import { createReadiness } from './endpoints/ready.ts';
import { endBrokenRequests } from './errors/broken-requests.ts';
import { ACCIDENT } from './errors/errors.ts';
import { Refused, refusalOf, refuseRequest, refuseUpgrade } from './errors/refused.ts';
import { type Admission, createGraphQLServer } from './graphql.ts';
import { limitSilentConnections } from './limits/silent-connections.ts';
import { observeRequest } from './observe-request.ts';
import { closeIfUnread } from './requests/body-parts.ts';
import { credentialsOf } from './requests/credentials.ts';
import { refuseCrossSite, requirePreflight } from './requests/cross-site.ts';
import { allowOrigin, refuseForeign } from './requests/origin.ts';
import { readBody } from './requests/read-body.ts';
import { createSockets } from './sockets.ts';
import { asksForEvents } from './streams/event-streams.ts';
import { createGate } from './streams/gate.ts';
import { createSlowConsumerGuard, sentBytesOf } from './streams/slow-consumer-guard.ts';

export type Server = AsyncDisposable & { url: string };

/** How long running requests may take after the server begins to stop, in milliseconds. */
const FINISH = 4_000;

/**
 * How long a client may take to send a request, in milliseconds. The limits are long, since archives are large and time
 * during which the server itself is busy counts, too.
 */
const PATIENCE = {
  headersTimeout: 60_000,
  requestTimeout: 3_600_000,
  connectionsCheckingInterval: 5_000,
  // Longer than load balancers keep idle connections (60 s): a request sent while the server closes one is lost.
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
};

/** How long a client may go on sending after the response, in milliseconds. */
const LINGER = { archive: 10_000, other: 5_000 };

/** How many new connections may wait to be accepted; further ones retry after a second. The system may allow fewer. */
const BACKLOG = 4_096;

/** How many events of the largest size all clients may leave unread together before the guard is less patient. */
const UNREAD = 4;

/** How long a caller counts as authenticated while its body is read, in milliseconds; afterwards its credentials are checked again. */
const FRESH = 1_000;

/** Puts another body in the place of one that is not read, since its caller is refused. */
function standIn(request: IncomingMessage): void {
  Object.assign(request, { body: { query: '{ __typename }' } });
  request.headers['content-type'] = 'application/json';
  delete request.headers['content-length'];
}

/** Codes of a host that is unknown, or that another machine has. */
const NO_OWN_ADDRESS = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'];

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Serves the graph over HTTP, SSE and WebSocket on one port, with /mcp, the console, GraphiQL, /healthz, /readyz and /metrics. */
export async function startServer(ctx: HttpContext): Promise<Server> {
  const { host, port, maxBodyBytes, corsOrigins, graphiql, console } = ctx.config.server;
  const gate = createGate(ctx);
  const guard = createSlowConsumerGuard({
    most: ctx.config.limits.unreadBytes,
    all: UNREAD * ctx.config.limits.answerBytes,
  });
  const graphql = createGraphQLServer(ctx, gate);
  const sockets = createSockets(ctx, graphql, gate, guard);
  const serveArchives = createArchives(ctx, gate.authenticate);
  const serveGraphiQL = graphiql ? createGraphiQL() : null;
  const serveConsole = console ? createConsole() : null;
  const serveReadiness = createReadiness(ctx);
  const eventStreams = new Set<ServerResponse>();
  /** Ends an event stream whose client does not read it, and all of them when the server stops. */
  const follow = (response: ServerResponse) => {
    // A client may leave after the body of its request. The response would never say that it is closed.
    if (response.closed) return;
    eventStreams.add(response);
    const unguard = guard.watch({
      pendingBytes: () => response.writableLength,
      sentBytes: () => sentBytesOf(response.req.socket),
      drop: () => response.destroy(),
    });
    response.once('close', () => {
      eventStreams.delete(response);
      unguard();
    });
  };
  let mcp: Promise<ServeMcp> | null = null;
  /** Loads the packages of the protocol with the first request for it: they are large, and many servers get none. */
  const openMcp = async () =>
    (await import('./endpoints/mcp.ts')).createMcp(ctx, gate, { graphql, follow });
  const serveMcp: ServeMcp = async (path, request, response) => {
    if (path !== '/mcp' && !path.startsWith('/.well-known/')) return false;
    mcp ??= openMcp();
    return (await mcp)(path, request, response);
  };
  const requireTrustedOrigin = (request: IncomingMessage) =>
    refuseForeign(request, ctx.config.server, gate.isOpen);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const path = pathOf(request);
    if (path === '/healthz') return response.end('ok');
    if (path === '/readyz') return serveReadiness(response);
    await requireTrustedOrigin(request);
    allowOrigin(request, response, corsOrigins);
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (await serveConsole?.(path, request, response)) return;
    if (path === '/') return response.writeHead(302, { location: '/graphql' }).end();
    if (await serveGraphiQL?.(path, request, response)) return;
    refuseCrossSite(request);
    if (path === '/metrics') return serveMetrics(ctx, gate.authenticate, request, response);
    return execute(path, request, response);
  };

  /** Reads the body of a caller with valid credentials. The graph refuses another one, in the form of its answers. */
  const readOperation = async (request: IncomingMessage): Promise<Admission> => {
    const until = performance.now() + FRESH;
    const caller = await gate.authenticate(credentialsOf(request, ctx)).then(
      (viewer) => ({ viewer }),
      (refusal: unknown) => ({ refusal }),
    );
    if ('refusal' in caller) standIn(request);
    else await readBody(request, maxBodyBytes);
    return 'refusal' in caller || performance.now() < until ? caller : {};
  };

  const execute = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    if (await serveArchives(path, request, response)) return;
    if (await serveMcp(path, request, response)) return;
    if (path !== '/graphql') throw new Refused(404, 'NOT_FOUND', 'The graph is at /graphql.');
    if (request.method !== 'POST') requirePreflight(request);
    const admission = request.method === 'POST' ? await readOperation(request) : {};
    if (asksForEvents(request.headers.accept)) follow(response);
    await graphql(request, response, admission);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (ctx.stopping.signal.aborted) response.setHeader('connection', 'close');
    const isArchive = pathOf(request).startsWith('/import/');
    closeIfUnread(request, response, isArchive ? LINGER.archive : LINGER.other);
    try {
      await answer(request, response);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return refuseRequest(response, refusal);
      // The client has disconnected, or the response has begun.
      if (error instanceof CallerGone || response.destroyed || response.headersSent) {
        ctx.logger.warn({ err: error }, 'request.aborted');
        response.destroy();
        return;
      }
      ctx.logger.error({ err: error }, 'request.failed');
      refuseRequest(response, new Refused(500, 'INTERNAL_SERVER_ERROR', ACCIDENT));
    }
  };

  const http = createServer(PATIENCE, (request, response) => {
    void observeRequest(ctx, request, response, pathOf(request), () => handle(request, response));
  });
  http.on('upgrade', (request, socket, head) => {
    // Without a listener, a connection reset would end the process.
    socket.on('error', () => socket.destroy());
    if (pathOf(request) !== '/graphql') {
      refuseUpgrade(socket, new Refused(404, 'NOT_FOUND', 'The graph is at /graphql.'));
      return;
    }
    const open = () => {
      if (ctx.stopping.signal.aborted)
        throw new Refused(503, 'STOPPING', 'The server is stopping.');
      return sockets.upgrade(request, socket, head);
    };
    requireTrustedOrigin(request)
      .then(open)
      .catch((error) => {
        const refusal = refusalOf(error);
        if (!refusal) ctx.logger.error({ err: error }, 'socket.upgrade_failed');
        refuseUpgrade(socket, refusal ?? new Refused(500, 'INTERNAL_SERVER_ERROR', ACCIDENT));
      });
  });

  endBrokenRequests(http);
  const endSilence = limitSilentConnections(http);
  http.maxConnections = ctx.config.limits.connections;

  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        NO_OWN_ADDRESS.includes(error.code ?? '')
          ? new InvalidSetting(`HOST: this machine has no address ${host} (${error.message}).`)
          : error,
      ),
    );
    http.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const address = http.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host;
  return {
    url: `http://${name}:${address.port}/graphql`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      endSilence();
      // A connection whose request is answered only now would be kept open for a next one.
      const idle = setInterval(() => http.closeIdleConnections(), 50);
      const force = setTimeout(() => http.closeAllConnections(), FINISH);
      // Destroyed instead of ended: clients would take a proper end for the end of the events.
      for (const stream of eventStreams) stream.destroy();
      guard[Symbol.dispose]();
      await sockets[Symbol.asyncDispose]();
      await closed;
      clearInterval(idle);
      clearTimeout(force);
      await graphql.dispose();
    },
  };
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] as string;
