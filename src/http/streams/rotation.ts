/** Limits how much work of one user runs at a time, so that users are served in rotation. */
export type Rotation = {
  /** Runs a piece of a user's work when it is its turn. */
  take<T>(userId: string, work: () => Promise<T>): Promise<T>;
};

/** The work of one user. */
type UserQueue = { running: number; waiting: (() => void)[] };

/**
 * Creates a rotation. The next piece of a user begins in the next round of the event loop, so that requests of others
 * come first.
 * @param most how many pieces of one user run at a time
 */
export function createRotation(most: number): Rotation {
  const queues = new Map<string, UserQueue>();

  const enter = (userId: string): Promise<void> | undefined => {
    const queue = queues.get(userId) ?? { running: 0, waiting: [] };
    queues.set(userId, queue);
    if (queue.running >= most) return new Promise((resolve) => queue.waiting.push(resolve));
    queue.running += 1;
    return undefined;
  };
  const leave = (userId: string) => {
    const queue = queues.get(userId);
    if (!queue) return;
    queue.running -= 1;
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(userId);
  };
  const handOver = (userId: string) => {
    const next = queues.get(userId)?.waiting.shift();
    if (next) next();
    else leave(userId);
  };

  return {
    async take(userId, work) {
      await enter(userId);
      try {
        return await work();
      } finally {
        setImmediate(handOver, userId);
      }
    },
  };
}
