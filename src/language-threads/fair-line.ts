/** Runs a task when it is the user's turn. Rejects with the signal's reason if the signal is aborted before that. */
export type FairLine = <T>(
  userId: string,
  task: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/**
 * A queue that runs one task at a time. Users take turns, so that a user with one task waits for one task of each
 * other user, however many those have; the tasks of one user keep their order.
 */
export function createFairLine(): FairLine {
  /** In the order of service: the next user comes first. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let busy = false;

  const next = async () => {
    if (busy) return;
    busy = true;
    for (let entry = firstOf(waiting); entry; entry = firstOf(waiting)) {
      const [userId, tasks] = entry;
      const task = tasks.shift();
      // A user with more tasks moves to the back.
      waiting.delete(userId);
      if (tasks.length > 0) waiting.set(userId, tasks);
      await task?.();
    }
    busy = false;
  };

  return (userId, task, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      const userTasks = waiting.get(userId) ?? [];
      userTasks.push(async () => {
        signal?.removeEventListener('abort', leave);
        if (!signal?.aborted) await task().then(resolve, reject);
      });
      waiting.set(userId, userTasks);
      void next();
    });
}

const firstOf = <K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined => {
  for (const entry of map) return entry;
  return undefined;
};
