import type { Context } from '../context.ts';
import type { Viewer } from '../domain/viewer.ts';
import { Unauthenticated } from './unauthenticated.ts';

/** How often a key is looked at without an announcement, in milliseconds: one may get lost. */
const LOOK_EVERY = 30_000;
/** After a look that failed for another reason than the credentials, in milliseconds. */
const LOOK_AGAIN = 1_000;

/**
 * Calls back, once, when a caller's credentials end: a token at the second of its expiry, a key as
 * soon as its revocation is announced.
 *
 * @param again tells anew who the caller is
 * @returns a function that ends the watch
 */
export function watchTrust(
  { announcer }: Context,
  viewer: Viewer,
  again: () => Promise<Viewer>,
  onEnd: (error: Unauthenticated) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const stop = () => {
    over = true;
    clearTimeout(timer);
    unsubscribe();
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
  const plan = ({ expiresAt }: Viewer) =>
    lookIn(Math.min(LOOK_EVERY, Math.max(1, (expiresAt?.getTime() ?? Infinity) - Date.now())));
  const look = () => {
    again().then(plan, (error) => {
      if (error instanceof Unauthenticated) end(error);
      else if (viewer.expiresAt && viewer.expiresAt.getTime() <= Date.now()) {
        end(new Unauthenticated('The credentials of this connection have expired.'));
      } else lookIn(LOOK_AGAIN);
    });
  };
  const unsubscribe = announcer.onChange((userId) => {
    if (userId === null && viewer.kind !== 'user') look();
  });
  plan(viewer);
  return stop;
}
