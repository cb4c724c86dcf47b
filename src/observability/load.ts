/** How many requests are being answered; threads read it too and give way. */
export type Load = {
  enter(): void;
  leave(): void;
  /** One 32-bit number: the requests under way. */
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
