import type { Context } from '../context.ts';
import { timerDelay } from '../domain/core/timer.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import type { Authenticate, Credentials } from './authenticate.ts';
import { Unauthenticated } from './unauthenticated.ts';

/** How often a key is checked without a notification, in milliseconds: one may get lost. */
const LOOK_EVERY = 30_000;
/** When a check is repeated that failed for a reason other than the credentials, in milliseconds. */
const LOOK_AGAIN = 1_000;

/**
 * Calls back, once, when a caller's credentials expire: a token at the second of its expiry, a key as
 * soon as its revocation is published. Returns a function that ends the watch.
 */
export type WatchExpiry = (
  viewer: Viewer,
  credentials: Credentials,
  onEnd: (error: Unauthenticated) => void,
) => () => void;

/** @param authenticate says who a caller is by now; must have received a notification before this does */
export function createExpiryWatch({ announcer }: Context, authenticate: Authenticate): WatchExpiry {
  const announced = new Set<() => void>();
  announcer.onChange((userId) => {
    if (userId !== null) return;
    for (const look of announced) look();
  });

  return (viewer, credentials, onEnd) => {
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const stop = () => {
      over = true;
      clearTimeout(timer);
      announced.delete(look);
    };
    const end = (error: Unauthenticated) => {
      if (over) return;
      stop();
      onEnd(error);
    };
    const lookIn = (milliseconds: number) => {
      clearTimeout(timer);
      if (!over) timer = setTimeout(look, milliseconds).unref();
    };
    const plan = ({ expiresAt }: Viewer) => {
      const left = (expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
      // What is let in after its end by another clock is not looked at time and again meanwhile.
      lookIn(left <= 0 ? LOOK_AGAIN : timerDelay(left, LOOK_EVERY));
    };
    const look = () => {
      // Without the address: a look is no attempt to guess.
      authenticate({ authorization: credentials.authorization }).then(plan, (error) => {
        if (error instanceof Unauthenticated) end(error);
        else if (viewer.expiresAt && viewer.expiresAt.getTime() <= Date.now()) {
          end(new Unauthenticated('The credentials of this connection have expired.'));
        } else lookIn(LOOK_AGAIN);
      });
    };
    // What a token says cannot be taken back.
    if (viewer.kind !== 'user') announced.add(look);
    plan(viewer);
    return stop;
  };
}
