import { Repeater } from '@repeaterjs/repeater';
import type { Context } from '../context.ts';
import { decodeCursor } from '../domain/cursor.ts';
import { CursorExpired, CursorInvalid, DatabaseUnavailable } from '../domain/errors.ts';
import type { EventKind } from '../domain/event.ts';

export type MemoryEvent = Awaited<ReturnType<Context['store']['events']['after']>>[number];

/** Events read at a time. */
const PAGE = 200;
/** How long to wait without an announcement before looking anyway, in milliseconds. */
const POLL_EVERY = 5_000;

/**
 * A user's events from now on, or from behind a cursor, in order, each once. Reads the log: an
 * announcement only says that it is worth looking, so a lost one costs time and never an event.
 *
 * @throws CursorInvalid, CursorExpired before the first event
 */
export async function watchEvents(
  ctx: Context,
  userId: string,
  { kinds, after }: { kinds: readonly EventKind[] | null; after: string | null },
): Promise<AsyncIterable<MemoryEvent>> {
  const { events } = ctx.store;
  const bounds = await ctx.db.asUser(userId, (tx) => events.bounds(tx, userId));
  const start = after === null ? bounds.last : decodeCursor(userId, after);
  if (start > bounds.last) throw new CursorInvalid();
  if (start < bounds.trimmed) throw new CursorExpired();
  return follow(ctx, userId, kinds, start);
}

function follow(
  ctx: Context,
  userId: string,
  kinds: readonly EventKind[] | null,
  start: number,
): Repeater<MemoryEvent> {
  const { events } = ctx.store;
  /** What follows; nothing while the database is away, so that a subscription outlives its restart. */
  const read = async (number: number) => {
    try {
      return await ctx.db.asUser(userId, async (tx) => ({
        // Before the page: what is numbered by now is committed, so the page holds all of it.
        last: kinds ? (await events.bounds(tx, userId)).last : number,
        page: await events.after(tx, userId, number, kinds, PAGE),
      }));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      return { page: [], last: number };
    }
  };
  return new Repeater(async (push, stop) => {
    const bell = createBell();
    let stopped = false;
    const unsubscribe = ctx.announcer.onChange((changed) => {
      if (changed === null || changed === userId) bell.ring();
    });
    stop.then(() => {
      stopped = true;
      unsubscribe();
      bell.ring();
    });
    for (let number = start; !stopped; ) {
      const { page, last } = await read(number);
      for (const event of page) {
        if (stopped) return;
        number = event.number;
        await push(event);
      }
      if (page.length === PAGE) continue;
      // Past the events of other kinds, so that they are not looked through again.
      number = Math.max(number, last);
      await bell.wait(POLL_EVERY);
    }
  });
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
    wait: async (milliseconds: number) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      rung = false;
    },
  };
}
