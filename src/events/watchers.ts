import type { Logger } from '../observability/logger.ts';
import type { Publisher } from './publisher.ts';

/** A subscription that follows a user's event log. */
type Watcher = {
  /** The number of the last event seen. */
  seen(): number;
  /** Called when there may be newer events. Reads them. */
  look(): void;
};

type Newest = { userId: string; last: number };

/** All watchers of event logs in this process. */
export type Watchers = Disposable & {
  /** @returns a function that removes the watcher */
  add(userId: string, watcher: Watcher): () => void;
  /** A number that rises whenever a user's log may have new events: pages read under a lower number are out of date. */
  heard(userId: string): number;
};

/** How often to poll for events whose notification was lost, in milliseconds. */
const POLL_EVERY = 5_000;
/** How many watchers of one log are notified before the event loop runs other work. */
const AT_A_TIME = 64;

/**
 * Notifies the watchers of a log when it grows: at once when a commit is published, and by polling all watched logs, so
 * that a lost notification delays an event but never loses it.
 * @param newest reads the number of each user's last event
 */
export function createWatchers(
  publisher: Publisher,
  newest: (userIds: readonly string[]) => Promise<Newest[]>,
  logger: Logger,
): Watchers {
  const watchers = new Map<string, Set<Watcher>>();
  const toNotify = new Map<string, Set<Watcher>>();
  let polling = false;
  let news = 0;
  const heard = new Map<string, number>();

  const hear = (userId: string) => {
    news += 1;
    heard.set(userId, news);
  };
  const notifySome = (userId: string) => {
    const pending = toNotify.get(userId);
    if (!pending) return;
    let notified = 0;
    for (const watcher of pending) {
      if (notified === AT_A_TIME) {
        setImmediate(notifySome, userId);
        return;
      }
      notified += 1;
      pending.delete(watcher);
      watcher.look();
    }
    toNotify.delete(userId);
  };
  /** @param last the number of the last event in the log; watchers that have seen it are not notified */
  const notify = (userId: string, last = Number.POSITIVE_INFINITY) => {
    const ofUser = watchers.get(userId);
    if (!ofUser) return;
    hear(userId);
    const isUnderWay = toNotify.has(userId);
    const pending = toNotify.get(userId) ?? new Set();
    for (const watcher of ofUser) if (watcher.seen() < last) pending.add(watcher);
    toNotify.set(userId, pending);
    if (!isUnderWay) notifySome(userId);
  };
  const poll = async () => {
    if (polling || watchers.size === 0) return;
    polling = true;
    try {
      for (const { userId, last } of await newest([...watchers.keys()])) notify(userId, last);
    } catch (error) {
      logger.warn({ err: error }, 'events.poll_failed');
    } finally {
      polling = false;
    }
  };

  const unsubscribe = publisher.onChange((userId) => {
    if (userId === null) void poll();
    else notify(userId);
  });
  const timer = setInterval(poll, POLL_EVERY).unref();

  return {
    add(userId, watcher) {
      const ofUser = watchers.get(userId) ?? new Set();
      // While nobody watched this log, notifications were ignored, so pages may be out of date.
      if (ofUser.size === 0) hear(userId);
      watchers.set(userId, ofUser.add(watcher));
      return () => {
        ofUser.delete(watcher);
        toNotify.get(userId)?.delete(watcher);
        if (ofUser.size > 0 || watchers.get(userId) !== ofUser) return;
        watchers.delete(userId);
        heard.delete(userId);
      };
    },
    heard: (userId) => heard.get(userId) ?? 0,
    [Symbol.dispose]() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
