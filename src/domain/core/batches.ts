/** The most of a batch: how many items, and their sizes in all. */
export type BatchLimit = { items: number; size: number };

/** Splits items, in order, into batches of at most the limit. Each has at least one item, whatever its size. */
export function batchesOf<T>(
  items: readonly T[],
  limit: BatchLimit,
  sizeOf: (item: T) => number,
): T[][] {
  const batches: T[][] = [];
  let room = 0;
  for (const item of items) {
    const batch = batches.at(-1);
    const size = sizeOf(item);
    if (batch && batch.length < limit.items && size <= room) {
      batch.push(item);
      room -= size;
    } else {
      batches.push([item]);
      room = limit.size - size;
    }
  }
  return batches;
}
