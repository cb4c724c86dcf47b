/** Work of which so much is done at a time; the rest waits in its order. */
export type Lane = <T>(work: () => Promise<T> | T) => Promise<T>;

/** @param most how many pieces of work at a time */
export function createLane(most: number): Lane {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // After what this result is used for: it may show that nothing more is wanted.
      if (next) setImmediate(next);
      else running -= 1;
    }
  };
}
