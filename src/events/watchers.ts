import type { Logger } from '../observability/logger.ts';
import type { Publisher } from './publisher.ts';

/** A subscription that follows a user's event log. */
type Watcher = {
  /** The number of the last event seen. */
  seen(): number;
  /** Called when there may be newer events. */
  look(): void;
};

type Newest = { userId: string; last: number };

/** All watchers of event logs in this process. */
export type Watchers = Disposable & {
  /** @returns a function that ends the watch */
  add(userId: string, watcher: Watcher): () => void;
  /** Rises whenever a user's log may have new events: a page that was read before is out of date then. */
  heard(userId: string): number;
};

/** How often to look for events that no notification told of, in milliseconds. */
const POLL_EVERY = 5_000;
/** How many watchers of one log are notified at a time; between two groups other work gets its turn. */
const AT_A_TIME = 64;

/**
 * Notifies the watchers of a log when it grows: at once when a commit is published, and by a regular look at all logs that
 * are watched, so that a lost notification costs time but never an event.
 * @param newest reads the number of the last event of each of these users
 */
export function createWatchers(
  publisher: Publisher,
  newest: (userIds: readonly string[]) => Promise<Newest[]>,
  logger: Logger,
): Watchers {
  const watchers = new Map<string, Set<Watcher>>();
  const sleepers = new Map<string, Set<Watcher>>();
  let polling = false;
  let news = 0;
  const heard = new Map<string, number>();

  const hear = (userId: string) => {
    news += 1;
    heard.set(userId, news);
  };
  const wakeSome = (userId: string) => {
    const asleep = sleepers.get(userId);
    if (!asleep) return;
    let notified = 0;
    for (const watcher of asleep) {
      if (notified === AT_A_TIME) {
        setImmediate(wakeSome, userId);
        return;
      }
      notified += 1;
      asleep.delete(watcher);
      watcher.look();
    }
    sleepers.delete(userId);
  };
  /** @param last the number of the last event in the log */
  const notify = (userId: string, last = Number.POSITIVE_INFINITY) => {
    const own = watchers.get(userId);
    if (!own) return;
    hear(userId);
    const isUnderWay = sleepers.has(userId);
    const asleep = sleepers.get(userId) ?? new Set();
    for (const watcher of own) if (watcher.seen() < last) asleep.add(watcher);
    sleepers.set(userId, asleep);
    if (!isUnderWay) wakeSome(userId);
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
      const own = watchers.get(userId) ?? new Set();
      // Notifications were not received until now.
      if (own.size === 0) hear(userId);
      watchers.set(userId, own.add(watcher));
      return () => {
        own.delete(watcher);
        sleepers.get(userId)?.delete(watcher);
        if (own.size > 0 || watchers.get(userId) !== own) return;
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
