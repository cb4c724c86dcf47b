import { TryAgain } from '../domain/core/errors.ts';

/** The limit of subscriptions to one memory is reached. */
class TooManySubscriptions extends TryAgain {
  override readonly name = 'TooManySubscriptions';
  readonly code = 'TOO_MANY_SUBSCRIPTIONS';
}

/** Counts the subscriptions to each user's memory in this process. */
export type Places = {
  /** Opens a subscription, counts it until it ends and returns its events. @throws TooManySubscriptions */
  hold<T>(
    userId: string,
    follow: () => AsyncIterable<T> | Promise<AsyncIterable<T>>,
  ): Promise<AsyncIterableIterator<T>>;
};

/** In seconds. */
const RETRY_AFTER = 10;

/** @param most the limit of subscriptions to one user's memory */
export function createPlaces(most: number): Places {
  const counts = new Map<string, number>();
  const take = (userId: string): (() => void) => {
    const count = counts.get(userId) ?? 0;
    if (count >= most) {
      throw new TooManySubscriptions(
        `This memory has ${most.toLocaleString('en')} subscriptions already (MAX_SUBSCRIPTIONS_PER_USER): end some of them first.`,
        RETRY_AFTER,
      );
    }
    counts.set(userId, count + 1);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      const left = (counts.get(userId) ?? 1) - 1;
      if (left > 0) counts.set(userId, left);
      else counts.delete(userId);
    };
  };
  return {
    async hold(userId, follow) {
      const leave = take(userId);
      try {
        return untilItEnds(await follow(), leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Wraps an iterator and calls `ended` when it finishes, fails or is closed, even if nothing was read from it. */
function untilItEnds<T>(source: AsyncIterable<T>, ended: () => void): AsyncIterableIterator<T> {
  const events = source[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const next = await events.next();
        if (next.done) ended();
        return next;
      } catch (error) {
        ended();
        throw error;
      }
    },
    async return(value) {
      ended();
      return (await events.return?.(value)) ?? { done: true, value };
    },
    async throw(error) {
      ended();
      await events.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
