import { ownRound } from '../../domain/core/give-way.ts';
import { createLimiter, type Limiter } from './limiter.ts';

/** The memory reserved for one large answer while it is computed and sent. */
export type Place = {
  /** Reduces the reservation to the actual size of the answer, in bytes. */
  shrink(bytes: number): void;
  /** Releases the reservation. A second call has no effect. */
  leave(): void;
};

/** Limits the bytes of large answers that are in progress at a time, for the process and for each caller. */
export type AnswerRoom = {
  /** Waits until an answer of the largest size fits, and reserves that much. */
  enter(caller: string): Promise<Place>;
  /** Registers a small answer in progress. Call the returned function when the answer is complete or no longer small. */
  begin(caller: string): () => void;
  /**
   * Waits until no other caller has a small answer in progress, but at most `PATIENCE`, and then for the next round of the
   * event loop. Large answers call it between two parts: only one part of any large answer runs in each round.
   */
  giveWay(caller: string): Promise<void>;
  /** Runs a read. Limits the concurrent reads of a caller over all its requests, so that the database stays free for other callers. */
  read<T>(reader: Reader, work: () => Promise<T> | T): Promise<T>;
};

/** A caller, and how many reads it may run at a time. */
export type Reader = { caller: string; reads: number };

/** How many answers of the largest size may be in progress at a time: in total, and for one caller. */
const MOST = { all: 2, ofCaller: 1 };
/** A caller's next answer starts while this share of the largest size, at most, is complete but not yet read by the client. */
const UNREAD = 0.1;

/** The longest time that a part of a large answer waits for small answers, in milliseconds. */
const PATIENCE = 100;

type Waiting = { caller: string; begin(): void };

/** @param largest size of the largest answer, in bytes */
export function createAnswerRoom(largest: number): AnswerRoom {
  const reserved = new Map<string, number>();
  const waiting: Waiting[] = [];
  const limiters = new Map<string, { limiter: Limiter; underWay: number }>();
  const small = new Map<string, number>();
  const yielding = new Set<() => void>();
  let total = 0;

  const take = (caller: string, bytes: number) => {
    total += bytes;
    add(reserved, caller, bytes);
  };
  const hasRoom = (caller: string) =>
    // A caller with an unread answer and its next one must not keep the others out.
    total <= (MOST.all - 1 + UNREAD) * largest &&
    (reserved.get(caller) ?? 0) <= (MOST.ofCaller - 1 + UNREAD) * largest;
  const admit = () => {
    for (;;) {
      const index = waiting.findIndex(({ caller }) => hasRoom(caller));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      take(next.caller, largest);
      next.begin();
    }
  };

  const isFreeFor = (caller: string) => small.size === (small.has(caller) ? 1 : 0);
  const untilFreeFor = (caller: string) =>
    new Promise<void>((go) => {
      if (isFreeFor(caller)) return go();
      const end = () => {
        yielding.delete(recheck);
        clearTimeout(timer);
        go();
      };
      const recheck = () => {
        if (isFreeFor(caller)) end();
      };
      const timer = setTimeout(end, PATIENCE);
      yielding.add(recheck);
    });

  return {
    begin(caller) {
      add(small, caller, 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        add(small, caller, -1);
        for (const recheck of yielding) recheck();
      };
    },
    async giveWay(caller) {
      // Let requests that have already arrived start first.
      await new Promise((arrived) => setImmediate(arrived));
      await untilFreeFor(caller);
      await ownRound();
    },
    async read({ caller, reads }, work) {
      const reading = limiters.get(caller) ?? { limiter: createLimiter(reads), underWay: 0 };
      limiters.set(caller, reading);
      reading.underWay += 1;
      try {
        return await reading.limiter(work);
      } finally {
        reading.underWay -= 1;
        if (reading.underWay === 0) limiters.delete(caller);
      }
    },
    async enter(caller) {
      await new Promise<void>((begin) => {
        waiting.push({ caller, begin });
        admit();
      });
      let size = largest;
      const shrink = (bytes: number) => {
        if (bytes >= size) return;
        take(caller, bytes - size);
        size = bytes;
        admit();
      };
      return { shrink, leave: () => shrink(0) };
    },
  };
}

/** Adds to a caller's sum. Removes the caller when the sum reaches 0. */
function add(sums: Map<string, number>, caller: string, change: number): void {
  const sum = (sums.get(caller) ?? 0) + change;
  if (sum > 0) sums.set(caller, sum);
  else sums.delete(caller);
}
