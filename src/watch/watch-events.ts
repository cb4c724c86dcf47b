import { Repeater } from '@repeaterjs/repeater';
import { LRUCache } from 'lru-cache';
import type { Context, WatchContext } from '../context.ts';
import type { EventRow } from '../db/operations/events.ts';
import { decodeCursor } from '../domain/core/cursor.ts';
import { CursorExpired, CursorInvalid, TryAgain } from '../domain/core/errors.ts';
import type { EventKind } from '../domain/core/event.ts';

export type MemoryEvent = EventRow;

/** The most events read at once. */
const PAGE = 200;

/** Where in the log a subscription begins. */
export type LogPlace = {
  /** The cursor of the last event that the caller has seen; null = none. */
  after: string | null;
  /** Without a cursor: begin with the first event that is kept, not with the next one. */
  fromStart: boolean;
};

/**
 * Streams a user's events in order, each once, from now on or from a place. The events are read from the log. A
 * notification only triggers a read, so a lost one delays events and never loses one.
 * @param kinds the kinds of events to stream; null = all
 * @throws CursorInvalid, CursorExpired before the first event
 */
export const watchEvents = (
  ctx: WatchContext,
  userId: string,
  { kinds, ...place }: LogPlace & { kinds: readonly EventKind[] | null },
): Promise<AsyncIterable<MemoryEvent>> =>
  followLog(ctx, userId, { kinds, place, itemOf: (event) => event });

type Follow<Item> = {
  /** The kinds of events to read; null = all. */
  kinds: readonly EventKind[] | null;
  place: LogPlace;
  /** What an event becomes; null leaves it out. */
  itemOf(event: MemoryEvent): Item | null;
  /**
   * Listens for items that are not stored. Each comes after the events that were stored before it, and before those that were
   * stored after it.
   */
  listen?(push: (item: Item) => void): () => void;
};

/** Streams what becomes of a user's events, as `watchEvents` does, and between them what is not stored. */
export async function followLog<Item>(
  ctx: WatchContext,
  userId: string,
  { place: { after, fromStart }, ...follow }: Follow<Item>,
): Promise<AsyncIterable<Item>> {
  const bounds = await ctx.memory(userId).read((memory) => memory.events.bounds());
  const begin = fromStart ? bounds.trimmed : bounds.last;
  const start = after === null ? begin : decodeCursor(userId, after);
  if (start > bounds.last) throw new CursorInvalid();
  if (start < bounds.trimmed) throw new CursorExpired();
  return followFrom(ctx, userId, { ...follow, start, lastPast: bounds.last });
}

/** The most items that are not stored, buffered for a slow subscriber; beyond them the oldest are dropped. */
const BUFFERED = 100;

type FollowFrom<Item> = Omit<Follow<Item>, 'place'> & {
  start: number;
  /** The number of the last event that was stored before the subscription began. */
  lastPast: number;
};

function followFrom<Item>(
  ctx: WatchContext,
  userId: string,
  { kinds, itemOf, listen, start, lastPast }: FollowFrom<Item>,
): Repeater<Item> {
  return new Repeater(async (push, stop) => {
    const changes = createNotifier();
    let stopped = false;
    let number = start;
    const unsubscribe = ctx.watchers.add(userId, { seen: () => number, look: changes.notify });
    const fleeting = createBuffer(listen, { clock: ctx.clock, onItem: changes.notify });
    stop.then(() => {
      stopped = true;
      unsubscribe();
      fleeting.close();
      changes.notify();
    });
    const pushNext = async (next: MemoryEvent | Fleeting<Item>) => {
      if (!isEvent(next)) {
        await push(next.item);
        return;
      }
      number = next.number;
      const item = itemOf(next);
      if (item === null) return;
      await push(item);
      recordLag(ctx, next, lastPast);
    };
    while (!stopped) {
      // Taken before the page is read, which has all events that were stored before them.
      const taken = fleeting.take();
      const { page, last } = await readPage(ctx, userId, number, kinds).catch(
        emptyWhileUnavailable,
      );
      const isLast = page.length < PAGE;
      const { ordered, left } = inOrder(page, { taken, late: fleeting.take(), isLast });
      fleeting.putBack(left);
      for (const next of ordered) {
        if (stopped) return;
        await pushNext(next);
      }
      if (!isLast) continue;
      // Skips the events of other kinds, so that they are not read again.
      number = Math.max(number, last);
      await changes.wait();
    }
  });
}

/** An item that is not stored, and when it came. */
type Fleeting<Item> = { item: Item; at: Date };

type Came<Item> = { taken: Fleeting<Item>[]; late: Fleeting<Item>[]; isLast: boolean };

/**
 * Puts items between the events of a page by their times; at the same time, an item comes first.
 * @param taken items that came before the page was read
 * @param late items that came while it was read; those that are newer than the page are left for the next
 * @param isLast no more events were stored before the items in `taken`
 */
function inOrder<Item>(page: MemoryEvent[], { taken, late, isLast }: Came<Item>) {
  const left = [...taken, ...late];
  const ordered = page.flatMap((event) => {
    const later = left.findIndex(({ at }) => at > event.at);
    return [...left.splice(0, later === -1 ? left.length : later), event];
  });
  const due = isLast ? left.splice(0, Math.max(0, left.length - late.length)) : [];
  return { ordered: [...ordered, ...due], left };
}

const isEvent = <Item>(next: MemoryEvent | Fleeting<Item>): next is MemoryEvent => 'number' in next;

/** Keeps the newest items that are not stored until they are taken. */
function createBuffer<Item>(
  listen: Follow<Item>['listen'],
  { clock, onItem }: Pick<Context, 'clock'> & { onItem(): void },
) {
  let kept: Fleeting<Item>[] = [];
  const close = listen?.((item) => {
    kept = [...kept, { item, at: clock() }].slice(-BUFFERED);
    onItem();
  });
  return {
    take() {
      const taken = kept;
      kept = [];
      return taken;
    },
    putBack(items: readonly Fleeting<Item>[]) {
      kept = [...items, ...kept].slice(-BUFFERED);
    },
    close: () => close?.(),
  };
}

/** Records how long a live event took to be delivered. Replayed events are not counted. */
function recordLag({ metrics, clock }: Context, { number, at }: MemoryEvent, lastPast: number) {
  if (number > lastPast) metrics.delivered(Math.max(0, clock().getTime() - at.getTime()) / 1000);
}

type Page = { page: MemoryEvent[]; last: number };

/**
 * Returns an empty page while the database is unavailable or busy, so that the subscription survives. The poll of the
 * watchers notifies it again.
 */
function emptyWhileUnavailable(error: unknown): Page {
  if (error instanceof TryAgain) return { page: [], last: 0 };
  throw error;
}

type PageCache = LRUCache<string, Promise<Page>>;
const pageCaches = new WeakMap<Context, PageCache>();
/** The most pages that are cached, and for how long, in milliseconds. */
const CACHE = { max: 1_000, ttl: 1_000 };

/**
 * Reads the events after a number. Subscriptions that follow the same log share one read. A notification of new events
 * changes `heard`, which is part of the key, so the next read goes to the database.
 */
function readPage(
  ctx: WatchContext,
  userId: string,
  number: number,
  kinds: readonly EventKind[] | null,
): Promise<Page> {
  const cache: PageCache = pageCaches.get(ctx) ?? new LRUCache(CACHE);
  pageCaches.set(ctx, cache);
  const key = JSON.stringify([userId, ctx.watchers.heard(userId), number, kinds]);
  const cached = cache.get(key);
  if (cached) return cached;
  const page = ctx.memory(userId).read(async (memory) => ({
    // Read before the page: all events up to this number are committed, so the page cannot miss one of them.
    last: kinds ? (await memory.events.bounds()).last : number,
    page: await memory.events.after(number, kinds, PAGE),
  }));
  cache.set(key, page);
  page.catch(() => cache.delete(key));
  return page;
}

/** Notifies one waiter. A notification without a waiter is kept for the next `wait`; several count as one. */
function createNotifier() {
  let notified = false;
  let resume: (() => void) | null = null;
  return {
    notify: () => {
      notified = true;
      resume?.();
    },
    wait: async () => {
      if (!notified) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
      resume = null;
      notified = false;
    },
  };
}
