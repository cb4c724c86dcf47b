import { performance } from 'node:perf_hooks';

const eventLoop = () => performance.eventLoopUtilization();

/** Counts the requests in progress. Background work gives way to them; its threads read the counts, too. */
export type Load = {
  enter(): void;
  leave(): void;
  /**
   * Whether requests come while the main thread has hardly any time left: then each step of the background makes them wait.
   * Measured from one call to the next, over at least `WINDOW`.
   */
  isHigh(): boolean;
  /** The counts as 32-bit integers, to be shared with threads: see `COUNTS`. */
  shared: SharedArrayBuffer;
};

/** The places of the shared counts: requests in progress, and requests that have begun since the start. */
export const COUNTS = { inProgress: 0, begun: 1 } as const;

export const createSharedCounts = (): SharedArrayBuffer =>
  new SharedArrayBuffer(Object.keys(COUNTS).length * Int32Array.BYTES_PER_ELEMENT);

/** In milliseconds. */
const WINDOW = 200;
/** The share of its time that the main thread is busy, by the event loop, from which on the load is high. */
const HIGH = 0.85;

/**
 * @param loop the time in milliseconds that the event loop has been idle and active so far; another one for tests
 */
export function createLoad(loop: () => { idle: number; active: number } = eventLoop): Load {
  const shared = createSharedCounts();
  const counts = new Int32Array(shared);
  let last = { ...loop(), begun: 0 };
  let isHigh = false;
  return {
    enter() {
      Atomics.add(counts, COUNTS.inProgress, 1);
      Atomics.add(counts, COUNTS.begun, 1);
    },
    leave: () => void Atomics.sub(counts, COUNTS.inProgress, 1),
    isHigh() {
      const { idle, active } = loop();
      const worked = active - last.active;
      const elapsed = worked + idle - last.idle;
      if (elapsed < WINDOW) return isHigh;
      const begun = Atomics.load(counts, COUNTS.begun);
      isHigh = begun !== last.begun && worked >= HIGH * elapsed;
      last = { idle, active, begun };
      return isHigh;
    },
    shared,
  };
}
