/** Counts the requests in progress. Threads read the counts too, and give way to requests. */
export type Load = {
  enter(): void;
  leave(): void;
  /** The counts as 32-bit integers, to be shared with threads: see `COUNTS`. */
  shared: SharedArrayBuffer;
};

/** The places of the shared counts: requests in progress, and requests that have begun since the start. */
export const COUNTS = { inProgress: 0, begun: 1 } as const;

export const createSharedCounts = (): SharedArrayBuffer =>
  new SharedArrayBuffer(Object.keys(COUNTS).length * Int32Array.BYTES_PER_ELEMENT);

export function createLoad(): Load {
  const shared = createSharedCounts();
  const counts = new Int32Array(shared);
  return {
    enter() {
      Atomics.add(counts, COUNTS.inProgress, 1);
      Atomics.add(counts, COUNTS.begun, 1);
    },
    leave: () => void Atomics.sub(counts, COUNTS.inProgress, 1),
    shared,
  };
}
