import type { Context } from '../../context.ts';
import { TryAgain } from '../../domain/core/errors.ts';
import { callerOf, type Viewer } from '../../domain/core/viewer.ts';

/** The caller has reached its limit of open connections. */
class TooManyStreams extends TryAgain {
  override readonly name = 'TooManyStreams';
  readonly code = 'TOO_MANY_STREAMS';
}

/** Counts the WebSockets and event streams of each caller. */
export type Streams = {
  /** Counts one more stream. @returns a function that ends it @throws TooManyStreams */
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
          `This caller has ${most} open WebSockets and event streams already: close some.`,
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
