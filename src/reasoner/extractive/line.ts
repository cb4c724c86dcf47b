/** Does a task when it is its turn. Rejects with the signal's reason if that is aborted before. */
export type Line = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A line in which one task runs at a time, in the order in which they came. */
export function createLine(): Line {
  let before: Promise<unknown> = Promise.resolve();
  return (task, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      before = before.then(async () => {
        signal?.removeEventListener('abort', leave);
        if (!signal?.aborted) await task().then(resolve, reject);
      });
    });
}
