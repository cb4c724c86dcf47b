import { Repeater } from '@repeaterjs/repeater';
import type { Plugin } from 'graphql-yoga';
import { watchTrust } from '../auth/watch-trust.ts';
import type { Context } from '../context.ts';
import { TryAgain } from '../domain/errors.ts';
import { callerOf, type Viewer } from '../domain/viewer.ts';
import { maskError } from './errors.ts';

/** A caller has as many connections open as it may. */
class TooManyStreams extends TryAgain {
  override readonly name = 'TooManyStreams';
  readonly code = 'TOO_MANY_STREAMS';
}

/** Counts the WebSockets and event streams of each caller. */
export type Streams = {
  /** Counts one more. @throws TooManyStreams @returns what ends it */
  open(viewer: Viewer): () => void;
};

const RETRY_AFTER = 10;

export function createStreams({ config: { limits } }: Context): Streams {
  const counts = new Map<string, number>();
  return {
    open(viewer) {
      const caller = callerOf(viewer);
      const most = viewer.kind === 'key' ? limits.streamsPerKey : limits.streamsPerUser;
      const count = counts.get(caller) ?? 0;
      if (count >= most) {
        throw new TooManyStreams(
          `This caller has ${most} WebSockets and event streams open already: close some.`,
          RETRY_AFTER,
        );
      }
      counts.set(caller, count + 1);
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        const left = (counts.get(caller) ?? 1) - 1;
        if (left > 0) counts.set(caller, left);
        else counts.delete(caller);
      };
    },
  };
}

/** What the context of a subscription over HTTP tells besides: the answer's end, and who listens by now. */
export type StreamContext = {
  viewer: Viewer;
  stream?: { onClose(ended: () => void): void; again(): Promise<Viewer> } | undefined;
};

/** An event stream counts among its caller's, and ends with the credentials it was started with. A WebSocket does so itself. */
export function useStreams(app: Context, streams: Streams): Plugin<StreamContext> {
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
          setResult(whileTrusted(app, viewer, stream.again, result) as never);
        },
      };
    },
  };
}

function whileTrusted<T>(
  app: Context,
  viewer: Viewer,
  again: () => Promise<Viewer>,
  source: AsyncIterable<T>,
): Repeater<T> {
  return new Repeater(async (push, stop) => {
    const events = source[Symbol.asyncIterator]();
    const unwatch = watchTrust(app, viewer, again, stop);
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
