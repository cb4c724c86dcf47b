/** Runs work with limited concurrency. The rest waits, first come first served. */
export type Limiter = <T>(work: () => Promise<T> | T) => Promise<T>;

/** @param most how many pieces of work run at a time */
export function createLimiter(most: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The caller handles this result first: it may decide that the next piece is not wanted.
      if (next) setImmediate(next);
      else running -= 1;
    }
  };
}
