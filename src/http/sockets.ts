import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { maskError } from './errors.ts';
import type { GraphQLServer } from './graphql.ts';

type Params = { authorization?: unknown; Authorization?: unknown };
type Extra = { socket: WebSocket; request: IncomingMessage; authorization?: string | undefined };

export type Sockets = AsyncDisposable & {
  /** Makes a WebSocket of a request that asks for one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/** "Going away": clients of graphql-ws connect again and resume behind their last cursor. */
const STOPPING = 1001;
/** How long a client may take to say goodbye, in milliseconds. */
const GOODBYE = 1_500;
/** The protocol allows 123 bytes. */
const MAX_REASON = 120;
const PING_EVERY = 12_000;

/** GraphQL over WebSocket: the protocol graphql-transport-ws. */
export function createSockets(
  app: Context,
  graphql: GraphQLServer,
  authenticate: Authenticate,
): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: app.config.server.maxBodyBytes,
  });

  /** What to tell of an error; one of the credentials closes the connection, with the reason. */
  const tell = ({ socket }: Extra, error: unknown): GraphQLError => {
    const told = maskError(app, error) as GraphQLError;
    const forbidden = told.extensions.code === 'UNAUTHENTICATED';
    if (forbidden) socket.close(CloseCode.Forbidden, told.message.slice(0, MAX_REASON));
    return told;
  };

  const protocol = useServer<Params, Extra>(
    {
      isProd: true,
      connectionInitWaitTimeout: 5_000,
      onConnect: async ({ connectionParams, extra }) => {
        const given = connectionParams?.authorization ?? connectionParams?.Authorization;
        extra.authorization =
          typeof given === 'string' ? given : extra.request.headers.authorization;
        try {
          await authenticate(extra.authorization);
          return true;
        } catch (error) {
          const { message } = tell(extra, error);
          extra.socket.close(CloseCode.InternalServerError, message);
          return false;
        }
      },
      onSubscribe: async ({ extra }, _id, { query, operationName, variables }) => {
        const { parse, validate, contextFactory, execute, subscribe, schema } =
          graphql.getEnveloped({ authorization: extra.authorization } as never);
        try {
          const document = parse(query);
          const errors = validate(schema, document);
          if (errors.length > 0) return errors;
          return {
            schema,
            document,
            operationName,
            variableValues: variables,
            contextValue: await contextFactory(),
            rootValue: { execute, subscribe },
          };
        } catch (error) {
          return [tell(extra, error)];
        }
      },
      // biome-ignore lint/suspicious/noExplicitAny: the functions come with the arguments, from onSubscribe.
      execute: (args: any) => args.rootValue.execute(args),
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      subscribe: (args: any) => args.rootValue.subscribe(args),
    },
    server,
    PING_EVERY,
  );
  // The library writes such errors, which any client can cause, to the console.
  server.on('connection', (socket) => {
    socket.removeAllListeners('error');
    socket.on('error', (error) => app.logger.info({ err: error }, 'socket.error'));
  });

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (client) =>
        server.emit('connection', client, request),
      ),
    async [Symbol.asyncDispose]() {
      const clients = [...server.clients];
      for (const client of clients) client.close(STOPPING, 'The server stops. Connect again.');
      const force = setTimeout(() => {
        for (const client of clients) client.terminate();
      }, GOODBYE);
      await protocol.dispose();
      clearTimeout(force);
    },
  };
}
