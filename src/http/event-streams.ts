import { Repeater } from '@repeaterjs/repeater';
import type { Plugin } from 'graphql-yoga';
import type { Credentials } from '../auth/authenticate.ts';
import type { Unauthenticated } from '../auth/unauthenticated.ts';
import type { Context } from '../context.ts';
import type { Viewer } from '../domain/viewer.ts';
import { maskError } from './errors.ts';
import type { Gate } from './gate.ts';

/** What the context of a request over HTTP tells besides: what it showed of its caller, and when its answer ends. */
export type StreamContext = {
  viewer: Viewer;
  stream?: { credentials: Credentials; onClose(ended: () => void): void } | undefined;
};

/** An event stream counts among its caller's, and ends with the credentials it was started with. A WebSocket does so itself. */
export function useEventStreams(
  app: Context,
  { streams, watchTrust }: Gate,
): Plugin<StreamContext> {
  return {
    onSubscribe({ args: { contextValue }, setResultAndStopExecution }) {
      const { viewer, stream } = contextValue;
      if (!stream) return;
      try {
        stream.onClose(streams.open(viewer));
      } catch (error) {
        return setResultAndStopExecution({ errors: [maskError(app, error) as never] });
      }
      return {
        onSubscribeResult({ result, setResult }) {
          if (!(Symbol.asyncIterator in result)) return;
          const watch = (onEnd: (error: Unauthenticated) => void) =>
            watchTrust(viewer, stream.credentials, onEnd);
          setResult(whileTrusted(result, watch) as never);
        },
      };
    },
  };
}

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
