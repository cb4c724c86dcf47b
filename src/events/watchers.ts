import type { Logger } from '../observability/logger.ts';
import type { Announcer } from './announcer.ts';

/** Somebody who follows a user's log. */
type Watcher = {
  /** The number of the last event seen. */
  seen(): number;
  /** Called when there may be more. */
  look(): void;
};

type Newest = { userId: string; last: number };

/** All who follow logs in this process. */
export type Watchers = Disposable & {
  /** Returns what ends it. */
  add(userId: string, watcher: Watcher): () => void;
};

/** How often to look for what nobody announced, in milliseconds. */
const POLL_EVERY = 5_000;

/**
 * Wakes who follows a log when it grows: at once by announcements, and by one look at all logs that are followed, so that a
 * lost announcement costs time and never an event, however many follow.
 * @param newest the last event's number of each of these users
 */
export function createWatchers(
  announcer: Announcer,
  newest: (userIds: readonly string[]) => Promise<Newest[]>,
  logger: Logger,
): Watchers {
  const watchers = new Map<string, Set<Watcher>>();
  let polling = false;

  const lookAt = ({ userId, last }: Newest) => {
    for (const own of watchers.get(userId) ?? []) if (own.seen() < last) own.look();
  };
  const poll = async () => {
    if (polling || watchers.size === 0) return;
    polling = true;
    try {
      for (const log of await newest([...watchers.keys()])) lookAt(log);
    } catch (error) {
      logger.warn({ err: error }, 'events.poll_failed');
    } finally {
      polling = false;
    }
  };

  const unsubscribe = announcer.onChange((userId) => {
    if (userId === null) void poll();
    else for (const own of watchers.get(userId) ?? []) own.look();
  });
  const timer = setInterval(poll, POLL_EVERY).unref();

  return {
    add(userId, watcher) {
      const own = watchers.get(userId) ?? new Set();
      watchers.set(userId, own.add(watcher));
      return () => {
        own.delete(watcher);
        if (own.size === 0 && watchers.get(userId) === own) watchers.delete(userId);
      };
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
