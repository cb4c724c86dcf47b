import {
  createGraphQLError,
  createYoga,
  map,
  type Plugin,
  pipe,
  type YogaServerInstance,
} from 'graphql-yoga';
import { createAuthenticator } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { schema } from '../schema/index.ts';
import { createRequestContext, type RequestContext } from '../schema/request-context.ts';
import { maskError, useRequestErrors } from './errors.ts';
import { useObservation } from './observe-operations.ts';

/** What the transport knows of a request: over WebSocket, the credentials of the connection. */
type ServerContext = { authorization?: string | undefined };
export type GraphQLServer = YogaServerInstance<ServerContext, RequestContext>;

/** Most words and signs of an operation: enough for 500 turns written out. */
const MAX_TOKENS = 20_000;
/** How long a subscription goes on with credentials that have ended, in milliseconds. */
const TRUST_FOR = 30_000;

/** The GraphQL endpoint of a context: HTTP and SSE by itself, WebSocket through sockets.ts. */
export function createGraphQLServer(
  app: Context,
  authenticate = createAuthenticator(app),
): GraphQLServer {
  return createYoga<ServerContext, RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    logging: false,
    batching: false,
    multipart: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(app, error) },
    context: async ({ request, authorization }) => {
      const credentials = authorization ?? request?.headers.get('authorization');
      const viewer = await authenticate(credentials);
      return Object.assign(createRequestContext(app, viewer), {
        stillWelcome: () => authenticate(credentials),
      });
    },
    plugins: [
      useRequestErrors(app),
      useSizeLimits(),
      useTrustLimit(),
      useLoad(app),
      useObservation(app),
    ],
  });
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

/** What no operation needs is refused before it costs much. */
function useSizeLimits(): Plugin {
  const shallow =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return step(...args);
      } catch (error) {
        // The stack ran out.
        if (!(error instanceof RangeError)) throw error;
        throw createGraphQLError('The operation is nested too deeply.', {
          extensions: { code: 'BAD_REQUEST' },
        });
      }
    };
  return {
    onParse: ({ parseFn, setParseFn }) =>
      setParseFn(
        shallow((source, options) => parseFn(source, { ...options, maxTokens: MAX_TOKENS })),
      ),
    onValidate: ({ validateFn, setValidationFn }) => setValidationFn(shallow(validateFn)),
  };
}

/** A subscription ends with the credentials it was started with. */
function useTrustLimit(): Plugin<{ stillWelcome(): Promise<unknown> }> {
  return {
    onSubscribe({ args: { contextValue } }) {
      let checked = performance.now();
      const check = async <T>(event: T): Promise<T> => {
        if (performance.now() - checked > TRUST_FOR) {
          await contextValue.stillWelcome();
          checked = performance.now();
        }
        return event;
      };
      return {
        onSubscribeResult({ result, setResult }) {
          if (Symbol.asyncIterator in result) setResult(pipe(result, map(check)) as never);
        },
      };
    },
  };
}
