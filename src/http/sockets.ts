import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocket, WebSocketServer } from 'ws';
import type { Credentials } from '../auth/authenticate.ts';
import type { Limits } from '../config/limits.ts';
import type { Context } from '../context.ts';
import { callerOf, type Viewer } from '../domain/core/viewer.ts';
import { createLimiter } from '../schema/core/limiter.ts';
import { maskError } from './errors/errors.ts';
import type { GraphQLServer } from './graphql.ts';
import { isTooDeep, MOST_LEVELS } from './limits/json-depth.ts';
import { credentialsOf } from './requests/credentials.ts';
import type { Gate } from './streams/gate.ts';
import { createOperationIds, type OperationIds } from './streams/operation-ids.ts';
import { createRotation } from './streams/rotation.ts';
import { type SlowConsumerGuard, sentBytesOf } from './streams/slow-consumer-guard.ts';

type Params = { authorization?: unknown; Authorization?: unknown };
type Extra = {
  socket: WebSocket;
  request: IncomingMessage;
  credentials?: Credentials;
  caller?: string;
};

export type Sockets = AsyncDisposable & {
  /** Upgrades an HTTP request to a WebSocket, in its turn. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
};

/** "Going away": clients of graphql-ws reconnect and resume after their last cursor. */
const STOPPING = 1001;
/** "Try again later": clients reconnect after some time. */
const TRY_AGAIN = 1013;
/** How long a client may take to complete the closing handshake, in milliseconds. */
const GOODBYE = 1_500;
/** How long a slow client may take to read the rest and the reason of the close, in milliseconds. */
const CATCH_UP = 5_000;
/** How long running operations may take after the server begins to stop, in milliseconds. */
const FINISH = 3_000;
/** The protocol limits a reason to 123 bytes. */
const MAX_REASON = 120;
const PING_EVERY = 12_000;
const IN_USE = 'The id of this operation is that of an earlier one, which has not ended yet.';
/** How many new connections are upgraded, and authenticated, at a time: hundreds that come together must not stop others. */
const CONNECTING = 8;
/** How many operations of one caller are checked at a time, before they run; the next one begins in the next round of the event loop. */
const PREPARING = 4;

/** Creates GraphQL over WebSocket, with the protocol graphql-transport-ws. */
export function createSockets(
  app: Context,
  graphql: GraphQLServer,
  { authenticate, watchExpiry, streams }: Gate,
  guard: SlowConsumerGuard,
): Sockets {
  const { limits } = app.config;
  const underWay = new Set<Promise<unknown>>();
  const upgrading = createLimiter(CONNECTING);
  const connecting = createLimiter(CONNECTING);
  const preparing = createRotation(PREPARING);
  const operations = createOperationIds();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: app.config.server.maxBodyBytes,
    // Messages that arrive together are handled one by one, with other work in between.
    allowSynchronousEvents: false,
  });

  const close = (socket: WebSocket, code: number, reason: string) =>
    socket.close(code, reason.slice(0, MAX_REASON));

  /** Returns the error for the client. Closes the connection, with the reason, if the credentials are invalid. */
  const report = (socket: WebSocket, error: unknown): GraphQLError => {
    const masked = maskError(app, error) as GraphQLError;
    const forbidden = masked.extensions.code === 'UNAUTHENTICATED';
    if (forbidden) close(socket, CloseCode.Forbidden, masked.message);
    return masked;
  };

  /** Counts a connection and watches it until it closes. */
  const register = ({ socket, request }: Extra, viewer: Viewer, credentials: Credentials) => {
    const drop = () => {
      close(
        socket,
        TRY_AGAIN,
        'Too much was left unread. Reconnect and resume after the last cursor.',
      );
      setTimeout(() => socket.terminate(), CATCH_UP).unref();
    };
    const ends = [
      streams.open(viewer),
      watchExpiry(viewer, credentials, (error) => report(socket, error)),
      guard.watch({
        pendingBytes: () => socket.bufferedAmount,
        sentBytes: () => sentBytesOf(request.socket),
        drop,
      }),
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
          const viewer = await connecting(() => authenticate(credentials));
          extra.caller = callerOf(viewer);
          register(extra, viewer, credentials);
          return true;
        } catch (error) {
          const { message, extensions } = report(extra.socket, error);
          const code = extensions.retryable ? TRY_AGAIN : CloseCode.InternalServerError;
          close(extra.socket, code, message);
          return false;
        }
      },
      onSubscribe: async ({ extra, subscriptions }, id, params) => {
        if (!operations.begin(extra.socket, id)) {
          // Before the earlier operation sees the id again and takes it for its own.
          delete (subscriptions as Record<string, unknown>)[id];
          close(extra.socket, CloseCode.SubscriberAlreadyExists, IN_USE);
          return [new GraphQLError(IN_USE)];
        }
        if (Object.keys(subscriptions).length > limits.operationsPerSocket)
          return [tooMany(limits)];
        const isGone = () => !(id in subscriptions) || extra.socket.readyState !== WebSocket.OPEN;
        const prepare = async () => {
          const { credentials } = extra;
          const { parse, validate, contextFactory, execute, subscribe, schema } =
            graphql.getEnveloped({ credentials, isGone, params } as never);
          const document = parse(params.query);
          const errors = validate(schema, document);
          if (errors.length > 0) return errors;
          return {
            schema,
            document,
            operationName: params.operationName,
            variableValues: params.variables,
            contextValue: await contextFactory(),
            rootValue: { execute, subscribe },
          };
        };
        try {
          return await preparing.take(extra.caller ?? '', prepare);
        } catch (error) {
          return [report(extra.socket, error)];
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
  // The library would write errors that any client can cause to the console.
  server.on('connection', (socket) => {
    socket.removeAllListeners('error');
    socket.on('error', (error) => app.logger.info({ err: error }, 'socket.error'));
    handleMessages(socket, operations);
  });

  return {
    upgrade: (request, socket, head) =>
      upgrading(() =>
        server.handleUpgrade(request, socket, head, (client) =>
          server.emit('connection', client, request),
        ),
      ),
    async [Symbol.asyncDispose]() {
      await Promise.race([
        Promise.allSettled(underWay),
        new Promise((resolve) => setTimeout(resolve, FINISH).unref()),
      ]);
      // Sends the answers of these operations first.
      await new Promise(setImmediate);
      const clients = [...server.clients];
      for (const client of clients) client.close(STOPPING, 'The server is stopping. Reconnect.');
      const force = setTimeout(() => {
        for (const client of clients) client.terminate();
      }, GOODBYE);
      await protocol.dispose();
      clearTimeout(force);
    },
  };
}

/** Passes messages to the library. Closes the connection on one that nests too deeply, before the library parses it. */
function handleMessages(socket: WebSocket, operations: OperationIds): void {
  const [handle] = socket.listeners('message') as ((data: unknown) => Promise<void>)[];
  socket.removeAllListeners('message');
  socket.on('message', (data) => {
    const text = String(data);
    if (isTooDeep(text)) {
      socket.close(
        CloseCode.BadRequest,
        `The message nests more deeply than ${MOST_LEVELS} levels.`,
      );
    } else operations.during(socket, () => handle?.(text));
  });
}

const tooMany = ({ operationsPerSocket }: Limits) =>
  new GraphQLError(
    `This connection has ${operationsPerSocket} running operations already: end some, or open another connection.`,
    { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } },
  );
