/** Counts the requests in progress. Threads read the count too, and give way to requests. */
export type Load = {
  enter(): void;
  leave(): void;
  /** The count as one 32-bit integer, to be shared with threads. */
  shared: SharedArrayBuffer;
};

export function createLoad(): Load {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const count = new Int32Array(shared);
  return {
    enter: () => void Atomics.add(count, 0, 1),
    leave: () => void Atomics.sub(count, 0, 1),
    shared,
  };
}
