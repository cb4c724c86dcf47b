import { createLane, type Lane } from './lane.ts';

/** A place that a large answer takes while it is made and sent. */
export type Place = {
  /** How many bytes it has turned out to have. */
  shrink(bytes: number): void;
  /** Gives the place back, once. */
  leave(): void;
};

/** Where large answers are made: so many bytes at a time in a process, and of each caller. */
export type AnswerRoom = {
  /** Waits for a place of the largest answer. */
  enter(caller: string): Promise<Place>;
  /** A small answer begins; the result says that it is made, or is small no more. */
  begin(caller: string): () => void;
  /**
   * Waits, as a large answer does between two parts of it, until no small answers of others are being made; not for long.
   * The event loop comes round between any two parts that go on, of whatever answers.
   */
  giveWay(caller: string): Promise<void>;
  /** Reads for a caller: few things at a time over all that it has under way, so that others find the database free. */
  read<T>(reader: Reader, work: () => Promise<T> | T): Promise<T>;
};

/** Who reads, and how many things at a time. */
export type Reader = { caller: string; reads: number };

/** Answers of the largest size that are under way at a time, and those of one caller among them. */
const MOST = { all: 2, ofCaller: 1 };

/** How long a part of a large answer waits for small ones at most, in milliseconds. */
const PATIENCE = 100;

type Waiting = { caller: string; begin(): void };

/** @param largest bytes of the largest answer */
export function createAnswerRoom(largest: number): AnswerRoom {
  const taken = new Map<string, number>();
  const waiting: Waiting[] = [];
  const lanes = new Map<string, { lane: Lane; underWay: number }>();
  const small = new Map<string, number>();
  const passing = new Set<() => void>();
  let total = 0;
  const rounds = createLane(1);

  const take = (caller: string, bytes: number) => {
    total += bytes;
    add(taken, caller, bytes);
  };
  const hasRoom = (caller: string) =>
    total <= (MOST.all - 1) * largest && (taken.get(caller) ?? 0) <= (MOST.ofCaller - 1) * largest;
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
        passing.delete(look);
        clearTimeout(timer);
        go();
      };
      const look = () => {
        if (isFreeFor(caller)) end();
      };
      const timer = setTimeout(end, PATIENCE);
      passing.add(look);
    });
  const nextRound = () =>
    new Promise<void>((go) => {
      void rounds(() => {
        go();
        return new Promise((over) => setImmediate(over));
      });
    });

  return {
    begin(caller) {
      add(small, caller, 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        add(small, caller, -1);
        for (const look of passing) look();
      };
    },
    async giveWay(caller) {
      // Requests that have arrived begin first.
      await new Promise((arrived) => setImmediate(arrived));
      await untilFreeFor(caller);
      await nextRound();
    },
    async read({ caller, reads }, work) {
      const own = lanes.get(caller) ?? { lane: createLane(reads), underWay: 0 };
      lanes.set(caller, own);
      own.underWay += 1;
      try {
        return await own.lane(work);
      } finally {
        own.underWay -= 1;
        if (own.underWay === 0) lanes.delete(caller);
      }
    },
    async enter(caller) {
      await new Promise<void>((begin) => {
        waiting.push({ caller, begin });
        admit();
      });
      let held = largest;
      const shrink = (bytes: number) => {
        if (bytes >= held) return;
        take(caller, bytes - held);
        held = bytes;
        admit();
      };
      return { shrink, leave: () => shrink(0) };
    },
  };
}

/** Adds to what a caller has; who has nothing is not in it. */
function add(sums: Map<string, number>, caller: string, change: number): void {
  const own = (sums.get(caller) ?? 0) + change;
  if (own > 0) sums.set(caller, own);
  else sums.delete(caller);
}
