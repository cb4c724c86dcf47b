import type { Context } from '../context.ts';
import { timerDelay } from '../domain/core/timer.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import type { Authenticate, Credentials } from './authenticate.ts';
import { Unauthenticated } from './unauthenticated.ts';

/** How often credentials are checked without a notification, in milliseconds: a notification can get lost. */
const CHECK_EVERY = 30_000;
/** How soon a check is repeated that failed for a reason other than the credentials, in milliseconds. */
const RETRY_AFTER = 1_000;

/**
 * Watches the credentials of a connection and calls `onEnd` once when they are no longer valid: a token when it
 * expires, a key when it is revoked or its old secret expires. Returns a function that stops the watch.
 */
export type WatchExpiry = (
  viewer: Viewer,
  credentials: Credentials,
  onEnd: (error: Unauthenticated) => void,
) => () => void;

/**
 * Creates the watch of credentials.
 * @param authenticate must have subscribed to the publisher before this function does, so that its key cache is
 *   already cleared when a notification starts a check
 */
export function createExpiryWatch({ publisher }: Context, authenticate: Authenticate): WatchExpiry {
  const checks = new Set<() => void>();
  publisher.onChange((userId) => {
    if (userId !== null) return;
    for (const check of checks) check();
  });

  return (viewer, credentials, onEnd) => {
    let timer: NodeJS.Timeout | undefined;
    let stopped = false;
    /** When the credentials expire, by the last check that succeeded: a rotated key has an old secret that expires. */
    let expiresAt: Date | null = null;
    const stop = () => {
      stopped = true;
      clearTimeout(timer);
      checks.delete(check);
    };
    const end = (error: Unauthenticated) => {
      if (stopped) return;
      stop();
      onEnd(error);
    };
    const checkIn = (milliseconds: number) => {
      clearTimeout(timer);
      if (!stopped) timer = setTimeout(check, milliseconds).unref();
    };
    const schedule = (known: Viewer) => {
      expiresAt = known.expiresAt;
      const remaining = (expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
      // Expired here, yet still accepted by the database's clock: the delay keeps the checks from running in a tight loop.
      checkIn(remaining <= 0 ? RETRY_AFTER : timerDelay(remaining, CHECK_EVERY));
    };
    const check = () => {
      // Without the address, so that a failed check does not count as an attempt to guess credentials.
      authenticate({ authorization: credentials.authorization }).then(schedule, (error) => {
        if (error instanceof Unauthenticated) end(error);
        else if (expiresAt && expiresAt.getTime() <= Date.now()) {
          end(new Unauthenticated('The credentials of this connection have expired.'));
        } else checkIn(RETRY_AFTER);
      });
    };
    // A token cannot be revoked, so notifications do not concern it.
    if (viewer.kind !== 'user' || viewer.key) checks.add(check);
    schedule(viewer);
    return stop;
  };
}
