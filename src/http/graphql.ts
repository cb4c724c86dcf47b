import type { IncomingMessage, ServerResponse } from 'node:http';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Credentials } from '../auth/authenticate.ts';
import type { GraphContext, HttpContext } from '../context.ts';
import { callerOf, type Viewer } from '../domain/core/viewer.ts';
import { createAnswer } from '../schema/core/answer.ts';
import { createAnswerRoom } from '../schema/core/answer-room.ts';
import { createRequestContext, type RequestContext } from '../schema/core/request-context.ts';
import { schema } from '../schema/index.ts';
import { maskError, useRequestErrors } from './errors/errors.ts';
import { useAnswerSize } from './limits/answer-size.ts';
import { useRateLimits } from './limits/rate-limits.ts';
import { useSizeLimits } from './limits/size-limits.ts';
import { useObservation } from './observe-operations.ts';
import { createParseCaches } from './parse-caches.ts';
import { credentialsOf } from './requests/credentials.ts';
import { asksForEvents, type StreamContext, useEventStreams } from './streams/event-streams.ts';
import { useFanOut } from './streams/fan-out.ts';
import { createGate } from './streams/gate.ts';
import { whenClosed } from './streams/when-closed.ts';

/** What was found out about a caller before its operation was read: who it is, or why it is refused. */
export type Admission = { viewer?: Viewer; refusal?: unknown };

/** What the transport knows about a request. Over WebSocket: the credentials of the connection. */
type ServerContext = Admission & {
  credentials?: Credentials;
  /** Whether the client has disconnected. Over WebSocket only, where there is no response object. */
  isGone?: () => boolean;
  req?: IncomingMessage;
  res?: ServerResponse;
};
export type GraphQLServer = YogaServerInstance<ServerContext, RequestContext & StreamContext>;

/** How many queries one user may run in the database at a time. */
const READS = 4;

/** Creates the GraphQL endpoint. It serves HTTP and SSE itself; `sockets.ts` uses it for WebSocket. */
export function createGraphQLServer(
  app: GraphContext & Pick<HttpContext, 'load'>,
  gate = createGate(app),
): GraphQLServer {
  const room = createAnswerRoom(app.config.limits.answerBytes);
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
    context: async ({ request, credentials: given, viewer: known, refusal, isGone, req, res }) => {
      if (refusal) throw refusal;
      // A request without a connection (`fetch`) has headers but no address.
      const ofRequest = req
        ? credentialsOf(req, app)
        : { authorization: request?.headers.get('authorization') };
      const credentials = given ?? ofRequest;
      const viewer = known ?? (await gate.authenticate(credentials));
      const asker = {
        caller: callerOf(viewer),
        // An API key acts for many users and may use the whole pool, except for some connections of other callers.
        reads: viewer.kind === 'key' ? Math.max(READS, app.config.database.pool - READS) : READS,
        isGone: isGone ?? (() => res?.closed ?? request?.signal.aborted ?? false),
      };
      const answer = createAnswer(asker, room, app.config.limits.answerBytes);
      return Object.assign(createRequestContext(app, viewer, answer), {
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
      useFanOut(app),
      useLoad(app),
      useObservation(app),
      useAnswerSize(app),
    ],
  });
}

/** Counts the running operations. */
function useLoad({ load }: Pick<HttpContext, 'load'>): Plugin {
  return {
    onExecute: () => {
      load.enter();
      return { onExecuteDone: load.leave };
    },
  };
}
