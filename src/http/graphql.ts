import { useDisableIntrospection } from '@graphql-yoga/plugin-disable-introspection';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { GraphQLError } from 'graphql';
import { createGraphQLError, createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { createAuthenticator, Unauthenticated } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { MemoryError } from '../domain/errors.ts';
import type { Viewer } from '../domain/viewer.ts';
import { schema } from '../schema/index.ts';
import { createRequestContext, type RequestContext } from '../schema/request-context.ts';
import { exampleTabs } from './graphiql-tabs.ts';

/** What the transport knows of a request before it is executed. */
export type ServerContext = { viewer?: Viewer };
export type GraphQLServer = YogaServerInstance<ServerContext, RequestContext>;

/** The GraphQL endpoint of a context: HTTP and SSE by itself, WebSocket through server.ts. */
export function createGraphQLServer(app: Context): GraphQLServer {
  const { server } = app.config;
  const authenticate = createAuthenticator(app);
  return createYoga<ServerContext, RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    cors: server.corsOrigins.length > 0 ? { origin: server.corsOrigins } : false,
    graphiql: server.graphiql && {
      title: 'Mnemograph',
      subscriptionsProtocol: 'WS',
      defaultTabs: exampleTabs,
    },
    renderGraphiQL,
    maskedErrors: { maskError: (error) => maskError(app, error) },
    context: async ({ request, viewer }) =>
      createRequestContext(
        app,
        viewer ?? (await authenticate(request.headers.get('authorization'))),
      ),
    plugins: [useJsonRequestsOnly(), ...(server.introspection ? [] : [useDisableIntrospection()])],
  });
}

/**
 * Mutations come as JSON only: a web page elsewhere can then not send one without the CORS
 * pre-flight that this server answers with no.
 */
function useJsonRequestsOnly(): Plugin {
  return {
    onRequestParse({ request }) {
      const type = request.headers.get('content-type') ?? '';
      if (request.method === 'POST' && !/^application\/(graphql-?\S*)?\+?json/i.test(type)) {
        throw createGraphQLError('Send the operation as "content-type: application/json".', {
          extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http: { status: 415 } },
        });
      }
    },
  };
}

/** Expected failures and errors of the request itself are shown; anything else is logged and masked. */
function maskError(app: Context, error: unknown): Error {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (original instanceof MemoryError) {
    const http = original instanceof Unauthenticated ? { http: { status: 401 } } : {};
    return createGraphQLError(original.message, {
      ...(error instanceof GraphQLError ? { path: error.path, nodes: error.nodes } : {}),
      extensions: { code: original.code, ...http },
    } as never);
  }
  if (error instanceof GraphQLError && (original === error || original instanceof GraphQLError)) {
    return error;
  }
  app.logger.error({ err: original }, 'request.failed');
  return createGraphQLError('Something went wrong on the server. It has been logged.', {
    ...(error instanceof GraphQLError ? { path: error.path } : {}),
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  } as never);
}
