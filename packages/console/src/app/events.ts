import { type EventKind, type Memory, MemoryError } from '@mnemograph/client';
import type { PastEventsQuery } from '../generated/graphql.ts';
import { PAST_EVENTS } from './operations.ts';
import { together } from './together.ts';
import { requestOf } from './typed.ts';

/** An event of the log, as the console shows it. */
export type LoggedEvent = NonNullable<
  PastEventsQuery['user']
>['events']['edges'][number]['node'] & {
  /** When the tab received it; undefined for those from before. */
  receivedAt?: number;
};

/** The newest events of a memory, and whether the tab follows it. */
export type EventLog = {
  events: readonly LoggedEvent[];
  state: 'loading' | 'following' | 'failed';
  error: Error | null;
};

/** How many events are kept: the newest. */
export const MOST = 1_000;
/** Events that arrive within this many milliseconds are shown together. */
const TOGETHER = 16;
/** How long to wait before a server that was away is asked again, in milliseconds. */
const PAUSE = 2_000;

/** What takes part in following a log. */
type Watching = {
  /** Learns of new events. */
  onEvents?: (kinds: ReadonlySet<EventKind>) => void;
  /** Learns of the newest of the past, whenever they were read. */
  onPast?: (past: PastEventsQuery) => void;
  /** Asks for the newest of the past when they are read for the first time. */
  askFirst?: () => Promise<PastEventsQuery>;
};

/** Puts two parts of a log together, each event once. */
export function merged(one: readonly LoggedEvent[], other: readonly LoggedEvent[]): LoggedEvent[] {
  const byNumber = new Map([...one, ...other].map((event) => [event.number, event]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/**
 * Follows the events of a memory: the newest of the past, then each as it happens. The client resumes after
 * disconnections, so none is missed and none comes twice.
 * @returns a store for `useSyncExternalStore`, a function that starts to follow and returns one that ends it, and one that
 * begins anew after a failure
 */
export function createEventLog(
  memory: Memory,
  userId: string,
  { onEvents, onPast, askFirst }: Watching,
) {
  const request = requestOf(memory);
  let log: EventLog = { events: [], state: 'loading', error: null };
  const watching = new Set<() => void>();
  const show = (changes: Partial<EventLog>) => {
    log = { ...log, ...changes };
    for (const changed of watching) changed();
  };

  let reading = 0;

  /** Reads the past anew. Events that have come since then stay. */
  async function readPast(signal: AbortSignal) {
    reading += 1;
    const attempt = reading;
    const ask = () => request(PAST_EVENTS, { userId }, { signal });
    const answer = await (attempt === 1 && askFirst ? askFirst() : ask());
    if (attempt !== reading) return;
    onPast?.(answer);
    const past = (answer.user?.events.edges ?? []).map(({ node }) => node);
    const newest = past.at(-1)?.number ?? 0;
    const since = log.events.filter(({ number }) => number > newest);
    show({ events: merged(past, since), state: 'following', error: null });
  }

  async function follow(signal: AbortSignal) {
    let waiting: LoggedEvent[] = [];
    const flush = together(() => {
      const arrived = waiting;
      waiting = [];
      if (signal.aborted) return;
      const kinds = new Set(arrived.map(({ kind }) => kind));
      show({ events: merged(log.events, arrived).slice(-MOST) });
      onEvents?.(kinds);
      // What was forgotten must leave the page, too: the log is read anew without it.
      if (kinds.has('MEMORY_FORGOTTEN')) void readPast(signal).catch(() => show({ events: [] }));
    }, TOGETHER);
    if (log.events.length === 0) await readPast(signal);
    const after = log.events.at(-1)?.cursor;
    for await (const event of memory.as(userId).events({ after, fromStart: true, signal })) {
      waiting.push({ ...event, receivedAt: Date.now() });
      flush();
    }
  }

  let running = new AbortController();
  const start = () => {
    const own = new AbortController();
    running = own;
    void untilRefused(() => follow(own.signal), own.signal).catch((error) => {
      if (!own.signal.aborted) show({ state: 'failed', error });
    });
    return () => running.abort();
  };

  return {
    get: () => log,
    subscribe: (changed: () => void) => {
      watching.add(changed);
      return () => watching.delete(changed);
    },
    start,
    restart: () => {
      running.abort();
      show({ events: [], state: 'loading', error: null });
      start();
    },
  };
}

/** Follows again after a pause whenever the server could not be reached. @throws the error with which it refuses */
async function untilRefused(follow: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await follow();
    } catch (error) {
      if (signal.aborted || !(error instanceof MemoryError && error.retryable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
