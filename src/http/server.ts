import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { createAuthenticator } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { MemoryError } from '../domain/errors.ts';
import type { Viewer } from '../domain/viewer.ts';
import { createGraphQLServer } from './graphql.ts';
import { isForeignOrigin } from './origin.ts';
import { readBody } from './read-body.ts';

export type Server = AsyncDisposable & { url: string };

/** Serves the graph over HTTP, SSE and WebSocket on one port. */
export async function startServer(ctx: Context): Promise<Server> {
  const { host, port, maxBodyBytes, corsOrigins } = ctx.config.server;
  const graphql = createGraphQLServer(ctx);
  const authenticate = createAuthenticator(ctx);

  const http = createServer(async (request, response) => {
    try {
      if (isForeignOrigin(request, corsOrigins, ctx.config.auth.openWithoutKeys)) {
        return refuse(response, 403, 'FORBIDDEN', 'This origin may not call; see CORS_ORIGINS.');
      }
      if (request.method === 'POST' && !(await readBody(request, maxBodyBytes))) {
        const limit = maxBodyBytes.toLocaleString('en');
        const message = `The request body is larger than ${limit} bytes. Send fewer turns a call.`;
        return refuse(response, 413, 'BODY_TOO_LARGE', message);
      }
      await graphql(request, response);
    } catch (error) {
      ctx.logger.warn({ err: error }, 'request.aborted');
      response.destroy();
    }
  });

  const sockets = new WebSocketServer({ server: http, path: '/graphql', maxPayload: maxBodyBytes });
  sockets.on('error', (error) => ctx.logger.warn({ err: error }, 'socket.error'));
  const protocol = useServer<{ authorization?: string }, { viewer?: Viewer }>(
    {
      connectionInitWaitTimeout: 5_000,
      onConnect: async ({ connectionParams, extra }) => {
        const { request } = extra as unknown as { request: IncomingMessage };
        if (isForeignOrigin(request, corsOrigins, ctx.config.auth.openWithoutKeys)) return false;
        const params = connectionParams ?? {};
        const given = params.authorization ?? (params as Record<string, unknown>).Authorization;
        try {
          extra.viewer = await authenticate(
            typeof given === 'string' ? given : request.headers.authorization,
          );
        } catch (error) {
          if (error instanceof MemoryError)
            throw Object.assign(error, { code: CloseCode.Forbidden });
          throw error;
        }
        return true;
      },
      onSubscribe: async ({ extra }, _id, payload) => {
        const enveloped = graphql.getEnveloped({ viewer: extra.viewer } as never);
        const args = {
          schema: enveloped.schema,
          operationName: payload.operationName,
          document: enveloped.parse(payload.query),
          variableValues: payload.variables,
          contextValue: await enveloped.contextFactory(),
          rootValue: { execute: enveloped.execute, subscribe: enveloped.subscribe },
        };
        const errors = enveloped.validate(args.schema, args.document);
        return errors.length > 0 ? errors : args;
      },
      // biome-ignore lint/suspicious/noExplicitAny: the functions come with the arguments, from onSubscribe.
      execute: (args: any) => args.rootValue.execute(args),
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      subscribe: (args: any) => args.rootValue.subscribe(args),
    },
    sockets,
    12_000,
  );

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const address = http.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host;
  return {
    url: `http://${name}:${address.port}/graphql`,
    async [Symbol.asyncDispose]() {
      await protocol.dispose();
      http.closeIdleConnections();
      const closed = new Promise((resolve) => http.close(resolve));
      const force = setTimeout(() => http.closeAllConnections(), 3_000);
      await closed;
      clearTimeout(force);
      await graphql.dispose();
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}
