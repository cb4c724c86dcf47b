import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocket, WebSocketServer } from 'ws';
import type { Credentials } from '../auth/authenticate.ts';
import type { Limits } from '../config/limits.ts';
import type { Context } from '../context.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import { maskError } from './errors/errors.ts';
import type { GraphQLServer } from './graphql.ts';
import { isTooDeep, MOST_LEVELS } from './limits/json-depth.ts';
import { credentialsOf } from './requests/credentials.ts';
import type { Gate } from './streams/gate.ts';
import type { SlowConsumerGuard } from './streams/slow-consumer-guard.ts';

type Params = { authorization?: unknown; Authorization?: unknown };
type Extra = { socket: WebSocket; request: IncomingMessage; credentials?: Credentials };

export type Sockets = AsyncDisposable & {
  /** Turns a request for a WebSocket into one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/** "Going away": clients of graphql-ws connect again and resume behind their last cursor. */
const STOPPING = 1001;
/** "Try again later": clients reconnect after a while. */
const TRY_AGAIN = 1013;
/** How long a client may take to complete the closing handshake, in milliseconds. */
const GOODBYE = 1_500;
/** How long a slow client may take to read what was sent and why the connection is closed, in milliseconds. */
const CATCH_UP = 5_000;
/** How long running operations may take when the server stops, in milliseconds. */
const FINISH = 3_000;
/** The protocol limits a reason to 123 bytes. */
const MAX_REASON = 120;
const PING_EVERY = 12_000;

/** GraphQL over WebSocket: the protocol graphql-transport-ws. */
export function createSockets(
  app: Context,
  graphql: GraphQLServer,
  { authenticate, watchExpiry, streams }: Gate,
  guard: SlowConsumerGuard,
): Sockets {
  const { limits } = app.config;
  const underWay = new Set<Promise<unknown>>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: app.config.server.maxBodyBytes,
    // A thousand messages that arrive together are handled one by one, with other work in between.
    allowSynchronousEvents: false,
  });

  const close = (socket: WebSocket, code: number, reason: string) =>
    socket.close(code, reason.slice(0, MAX_REASON));

  /** The error that a client gets; an error of its credentials also closes the connection, with the reason. */
  const tell = (socket: WebSocket, error: unknown): GraphQLError => {
    const told = maskError(app, error) as GraphQLError;
    const forbidden = told.extensions.code === 'UNAUTHENTICATED';
    if (forbidden) close(socket, CloseCode.Forbidden, told.message);
    return told;
  };

  /** Counts a connection and watches it until it closes. */
  const lookAfter = (socket: WebSocket, viewer: Viewer, credentials: Credentials) => {
    const drop = () => {
      close(socket, TRY_AGAIN, 'Too much was left unread. Connect again, behind the last cursor.');
      setTimeout(() => socket.terminate(), CATCH_UP).unref();
    };
    const ends = [
      streams.open(viewer),
      watchExpiry(viewer, credentials, (error) => tell(socket, error)),
      guard.watch({ pendingBytes: () => socket.bufferedAmount, drop }),
    ];
    const end = () => {
      for (const each of ends) each();
    };
    if (socket.readyState === socket.CLOSED) end();
    else socket.once('close', end);
  };

  const protocol = useServer<Params, Extra>(
    {
      isProd: true,
      connectionInitWaitTimeout: 5_000,
      onConnect: async ({ connectionParams, extra }) => {
        const given = connectionParams?.authorization ?? connectionParams?.Authorization;
        const credentials = {
          ...credentialsOf(extra.request, app),
          ...(typeof given === 'string' ? { authorization: given } : {}),
        };
        extra.credentials = credentials;
        try {
          lookAfter(extra.socket, await authenticate(credentials), credentials);
          return true;
        } catch (error) {
          const { message, extensions } = tell(extra.socket, error);
          const code = extensions.retryable ? TRY_AGAIN : CloseCode.InternalServerError;
          close(extra.socket, code, message);
          return false;
        }
      },
      onSubscribe: async ({ extra, subscriptions }, id, { query, operationName, variables }) => {
        if (Object.keys(subscriptions).length > limits.operationsPerSocket)
          return [tooMany(limits)];
        const isGone = () => !(id in subscriptions) || extra.socket.readyState !== WebSocket.OPEN;
        const { parse, validate, contextFactory, execute, subscribe, schema } =
          graphql.getEnveloped({ credentials: extra.credentials, isGone } as never);
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
          return [tell(extra.socket, error)];
        }
      },
      // biome-ignore lint/suspicious/noExplicitAny: the functions come with the arguments, from onSubscribe.
      execute: async (args: any) => {
        const work = Promise.resolve(args.rootValue.execute(args));
        underWay.add(work);
        return work.finally(() => underWay.delete(work));
      },
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
    refuseDeepMessages(socket);
  });

  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (client) =>
        server.emit('connection', client, request),
      ),
    async [Symbol.asyncDispose]() {
      await Promise.race([
        Promise.allSettled(underWay),
        new Promise((resolve) => setTimeout(resolve, FINISH).unref()),
      ]);
      // What is answered is sent first.
      await new Promise(setImmediate);
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

/** The library parses whatever comes: what nests too deep does not come to it. */
function refuseDeepMessages(socket: WebSocket): void {
  const listeners = socket.listeners('message') as ((data: unknown) => void)[];
  socket.removeAllListeners('message');
  socket.on('message', (data) => {
    const text = String(data);
    if (isTooDeep(text)) {
      socket.close(CloseCode.BadRequest, `The message nests deeper than ${MOST_LEVELS} levels.`);
    } else for (const listener of listeners) listener(text);
  });
}

const tooMany = ({ operationsPerSocket }: Limits) =>
  new GraphQLError(
    `This connection has ${operationsPerSocket} operations under way already: complete some, or open another connection.`,
    { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } },
  );
