import type { Context } from '../../../src/context.ts';
import { useFanOut } from '../../../src/http/streams/fan-out.ts';

export type Subscribe = (args: object) => Promise<AsyncIterator<unknown>>;

/** The function with which the fan-out subscribes a client. */
export function subscribeOfFanOut(): Subscribe {
  let subscribe: Subscribe | undefined;
  const setSubscribeFn = (given: Subscribe) => {
    subscribe = given;
  };
  void useFanOut({} as Context).onSubscribe?.({ setSubscribeFn } as never);
  return subscribe as Subscribe;
}
