import { Repeater } from '@repeaterjs/repeater';
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import type { Credentials } from '../../auth/authenticate.ts';
import type { Unauthenticated } from '../../auth/unauthenticated.ts';
import type { Context } from '../../context.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { maskError } from '../errors/errors.ts';
import type { Gate } from './gate.ts';

/** The part of an HTTP request's context that event streams need. */
export type StreamContext = {
  viewer: Viewer;
  stream?:
    | {
        credentials: Credentials;
        /** Whether the request accepts server-sent events. */
        isWanted: boolean;
        /** Calls back when the response is closed. */
        onClose(ended: () => void): void;
      }
    | undefined;
};

/** Whether a request accepts server-sent events. @param accept its Accept header */
export const asksForEvents = (accept: string | null | undefined): boolean =>
  accept?.includes('text/event-stream') ?? false;

/** Counts event streams among their caller's streams and ends them when their credentials end. `sockets.ts` does so for WebSockets. */
export function useEventStreams(
  app: Context,
  { streams, watchExpiry }: Gate,
): Plugin<StreamContext> {
  return {
    onSubscribe({ args: { contextValue }, setResultAndStopExecution }) {
      const { viewer, stream } = contextValue;
      if (!stream) return;
      // The server counts and guards only requests that accept event streams, so that others must not get one.
      if (!stream.isWanted) return setResultAndStopExecution({ errors: [notAsked()] });
      try {
        stream.onClose(streams.open(viewer));
      } catch (error) {
        return setResultAndStopExecution({ errors: [maskError(app, error) as never] });
      }
      return {
        onSubscribeResult({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) return;
          // An answer whose client has left before it begins is never read, so that nothing else would end its events.
          stream.onClose(() => void result.return?.(undefined).catch(() => undefined));
          const watch = (onEnd: (error: Unauthenticated) => void) =>
            watchExpiry(viewer, stream.credentials, onEnd);
          setResult(untilExpired(result, watch) as never);
        },
      };
    },
  };
}

const notAsked = () =>
  createGraphQLError(
    'Subscriptions are answered as server-sent events: send "Accept: text/event-stream", or use a WebSocket.',
    { extensions: { code: 'BAD_REQUEST', http: { status: 406 } } },
  );

/** Passes the events on until the source ends or the credentials do. */
function untilExpired<T>(
  source: AsyncIterable<T>,
  watch: (onEnd: (error: Unauthenticated) => void) => () => void,
): Repeater<T> {
  return new Repeater(async (push, stop) => {
    const events = source[Symbol.asyncIterator]();
    const unwatch = watch(stop);
    void stop.then(() => {
      unwatch();
      return events.return?.();
    });
    for (let next = await events.next(); !next.done; next = await events.next()) {
      await push(next.value);
    }
    stop();
  });
}
