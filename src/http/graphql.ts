import type { IncomingMessage, ServerResponse } from 'node:http';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Credentials } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { schema } from '../schema/index.ts';
import { createRequestContext, type RequestContext } from '../schema/request-context.ts';
import { addressOf } from './address.ts';
import { maskError, useRequestErrors } from './errors.ts';
import { asksForEvents, type StreamContext, useEventStreams } from './event-streams.ts';
import { createGate } from './gate.ts';
import { useObservation } from './observe-operations.ts';
import { createParseCaches } from './parse-caches.ts';
import { useRateLimits } from './rate-limits.ts';
import { useSizeLimits } from './size-limits.ts';

/** What the transport knows of a request: over WebSocket, the credentials of the connection. */
type ServerContext = {
  credentials?: Credentials;
  req?: IncomingMessage;
  res?: ServerResponse;
};
export type GraphQLServer = YogaServerInstance<ServerContext, RequestContext & StreamContext>;

/** The GraphQL endpoint of a context: HTTP and SSE by itself, WebSocket through sockets.ts. */
export function createGraphQLServer(app: Context, gate = createGate(app)): GraphQLServer {
  const credentialsOf = (request: Request | undefined, req: IncomingMessage | undefined) => ({
    authorization: request?.headers.get('authorization'),
    address: req && addressOf(req, app.config.limits.trustedProxies),
  });
  return createYoga<ServerContext, RequestContext & StreamContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    logging: false,
    batching: false,
    multipart: false,
    cors: false,
    parserAndValidationCache: createParseCaches(),
    maskedErrors: { maskError: (error) => maskError(app, error) },
    context: async ({ request, credentials: given, req, res }) => {
      const credentials = given ?? credentialsOf(request, req);
      const viewer = await gate.authenticate(credentials);
      return Object.assign(createRequestContext(app, viewer), {
        stream: res && {
          credentials,
          isWanted: asksForEvents(request?.headers.get('accept')),
          onClose: (ended: () => void) => whenClosed(res, ended),
        },
      });
    },
    plugins: [
      useRequestErrors(app),
      useSizeLimits(app),
      useRateLimits(app),
      useEventStreams(app, gate),
      useLoad(app),
      useObservation(app),
    ],
  });
}

function whenClosed(response: ServerResponse, ended: () => void): void {
  if (response.closed) ended();
  else response.once('close', ended);
}

/** Counts the operations under way. */
function useLoad({ load }: Context): Plugin {
  return {
    onExecute: () => {
      load.enter();
      return { onExecuteDone: load.leave };
    },
  };
}
