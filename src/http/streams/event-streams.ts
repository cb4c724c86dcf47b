import { Repeater } from '@repeaterjs/repeater';
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import type { Credentials } from '../../auth/authenticate.ts';
import type { Unauthenticated } from '../../auth/unauthenticated.ts';
import type { Context } from '../../context.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { maskError } from '../errors/errors.ts';
import type { Gate } from './gate.ts';

/** What the context of an HTTP request contains besides: its credentials, and when its answer ends. */
export type StreamContext = {
  viewer: Viewer;
  stream?:
    | {
        credentials: Credentials;
        /** Whether it asks for server-sent events. */
        isWanted: boolean;
        onClose(ended: () => void): void;
      }
    | undefined;
};

/** Whether a request asks for server-sent events. @param accept its header of that name */
export const asksForEvents = (accept: string | null | undefined): boolean =>
  accept?.includes('text/event-stream') ?? false;

/** An event stream counts among its caller's streams, and ends with the credentials that it began with. WebSockets do so themselves. */
export function useEventStreams(
  app: Context,
  { streams, watchExpiry }: Gate,
): Plugin<StreamContext> {
  return {
    onSubscribe({ args: { contextValue }, setResultAndStopExecution }) {
      const { viewer, stream } = contextValue;
      if (!stream) return;
      // Only an answer that is known to be a stream is handled as one.
      if (!stream.isWanted) return setResultAndStopExecution({ errors: [notAsked()] });
      try {
        stream.onClose(streams.open(viewer));
      } catch (error) {
        return setResultAndStopExecution({ errors: [maskError(app, error) as never] });
      }
      return {
        onSubscribeResult({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) return;
          const watch = (onEnd: (error: Unauthenticated) => void) =>
            watchExpiry(viewer, stream.credentials, onEnd);
          setResult(whileTrusted(result, watch) as never);
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

function whileTrusted<T>(
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
