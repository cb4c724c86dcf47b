import { Repeater } from '@repeaterjs/repeater';
import { LRUCache } from 'lru-cache';
import type { Context, WatchContext } from '../context.ts';
import type { EventRow } from '../db/operations/events.ts';
import { decodeCursor } from '../domain/core/cursor.ts';
import { CursorExpired, CursorInvalid, TryAgain } from '../domain/core/errors.ts';
import type { EventKind } from '../domain/core/event.ts';

export type MemoryEvent = EventRow;

/** Events read at a time. */
const PAGE = 200;

/**
 * A user's events from now on, or from behind a cursor, in order, each once. Reads the log: an
 * announcement only says that it is worth looking, so a lost one costs time and never an event.
 *
 * @throws CursorInvalid, CursorExpired before the first event
 */
export async function watchEvents(
  ctx: WatchContext,
  userId: string,
  { kinds, after }: { kinds: readonly EventKind[] | null; after: string | null },
): Promise<AsyncIterable<MemoryEvent>> {
  const bounds = await ctx.memory(userId).read((memory) => memory.events.bounds());
  const start = after === null ? bounds.last : decodeCursor(userId, after);
  if (start > bounds.last) throw new CursorInvalid();
  if (start < bounds.trimmed) throw new CursorExpired();
  return follow(ctx, userId, kinds, start, bounds.last);
}

function follow(
  ctx: WatchContext,
  userId: string,
  kinds: readonly EventKind[] | null,
  start: number,
  past: number,
): Repeater<MemoryEvent> {
  return new Repeater(async (push, stop) => {
    const bell = createBell();
    let stopped = false;
    let number = start;
    const leave = ctx.watchers.add(userId, { seen: () => number, look: bell.ring });
    stop.then(() => {
      stopped = true;
      leave();
      bell.ring();
    });
    while (!stopped) {
      const { page, last } = await readPage(ctx, userId, number, kinds).catch(nothingWhileAway);
      for (const event of page) {
        if (stopped) return;
        number = event.number;
        await push(event);
        noteDelivery(ctx, event, past);
      }
      if (page.length === PAGE) continue;
      // Past the events of other kinds, so that they are not looked through again.
      number = Math.max(number, last);
      await bell.rung();
    }
  });
}

/** How long a live event took; one of the past, which was missed, tells nothing of that. */
function noteDelivery({ metrics, clock }: Context, { number, at }: MemoryEvent, past: number) {
  if (number > past) metrics.delivered(Math.max(0, clock().getTime() - at.getTime()) / 1000);
}

type Page = { page: MemoryEvent[]; last: number };

/** So that a subscription outlives a restart of the database, and a busy one: somebody calls when it is back. */
function nothingWhileAway(error: unknown): Page {
  if (error instanceof TryAgain) return { page: [], last: 0 };
  throw error;
}

type Readings = LRUCache<string, Promise<Page>>;
const readings = new WeakMap<Context, Readings>();
/** Readings kept for others, and for how long, in milliseconds. */
const KEPT = { max: 1_000, ttl: 1_000 };

/**
 * The events behind a number. Who follows the same log shares one reading, until there may be more in it: what is committed
 * later is announced later.
 */
function readPage(
  ctx: WatchContext,
  userId: string,
  number: number,
  kinds: readonly EventKind[] | null,
): Promise<Page> {
  const begun: Readings = readings.get(ctx) ?? new LRUCache(KEPT);
  readings.set(ctx, begun);
  const key = JSON.stringify([userId, ctx.watchers.heard(userId), number, kinds]);
  const shared = begun.get(key);
  if (shared) return shared;
  const reading = ctx.memory(userId).read(async (memory) => ({
    // Before the page: what is numbered by now is committed, so the page holds all of it.
    last: kinds ? (await memory.events.bounds()).last : number,
    page: await memory.events.after(number, kinds, PAGE),
  }));
  begun.set(key, reading);
  reading.catch(() => begun.delete(key));
  return reading;
}

/** Remembers one ring until somebody waits for it. */
function createBell() {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    rung: async () => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = null;
      rung = false;
    },
  };
}
