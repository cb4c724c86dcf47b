import { Repeater } from '@repeaterjs/repeater';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { EventRow } from '../db/operations/events.ts';
import { decodeCursor } from '../domain/core/cursor.ts';
import { CursorExpired, CursorInvalid, TryAgain } from '../domain/core/errors.ts';
import type { EventKind } from '../domain/core/event.ts';

export type MemoryEvent = EventRow;

/** The most events read at once. */
const PAGE = 200;

/**
 * Streams a user's events in order, each once, from now on or from a cursor. The events are read from the log. A
 * notification only triggers a read, so a lost one delays events and never loses one.
 * @param kinds the kinds of events to stream; null = all
 * @param after the cursor of the last event that the caller has seen; null = start now
 * @throws CursorInvalid, CursorExpired before the first event
 */
export async function watchEvents(
  ctx: Context,
  userId: string,
  { kinds, after }: { kinds: readonly EventKind[] | null; after: string | null },
): Promise<AsyncIterable<MemoryEvent>> {
  const bounds = await ctx.memory(userId).read((memory) => memory.events.bounds());
  const start = after === null ? bounds.last : decodeCursor(userId, after);
  if (start > bounds.last) throw new CursorInvalid();
  if (start < bounds.trimmed) throw new CursorExpired();
  return follow(ctx, userId, kinds, start, bounds.last);
}

/** @param lastPast the number of the last event that was stored before the subscription began */
function follow(
  ctx: Context,
  userId: string,
  kinds: readonly EventKind[] | null,
  start: number,
  lastPast: number,
): Repeater<MemoryEvent> {
  return new Repeater(async (push, stop) => {
    const changes = createNotifier();
    let stopped = false;
    let number = start;
    const unsubscribe = ctx.watchers.add(userId, { seen: () => number, look: changes.notify });
    stop.then(() => {
      stopped = true;
      unsubscribe();
      changes.notify();
    });
    while (!stopped) {
      const { page, last } = await readPage(ctx, userId, number, kinds).catch(
        emptyWhileUnavailable,
      );
      for (const event of page) {
        if (stopped) return;
        number = event.number;
        await push(event);
        recordLag(ctx, event, lastPast);
      }
      if (page.length === PAGE) continue;
      // Skips the events of other kinds, so that they are not read again.
      number = Math.max(number, last);
      await changes.wait();
    }
  });
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
  ctx: Context,
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
