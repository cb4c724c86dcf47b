/** Limits how much work of one user runs at a time, so that users are served in rotation. */
export type Rotation = {
  /** Runs a piece of a user's work when it is its turn. */
  take<T>(userId: string, work: () => Promise<T>): Promise<T>;
};

type Lane = { running: number; waiting: (() => void)[] };

/**
 * Creates a rotation. The next piece of a user begins in the next round of the event loop, so that requests of others
 * come first.
 * @param most how many pieces of one user run at a time
 */
export function createRotation(most: number): Rotation {
  const lanes = new Map<string, Lane>();

  const enter = (userId: string): Promise<void> | undefined => {
    const lane = lanes.get(userId) ?? { running: 0, waiting: [] };
    lanes.set(userId, lane);
    if (lane.running >= most) return new Promise((resolve) => lane.waiting.push(resolve));
    lane.running += 1;
    return undefined;
  };
  const leave = (userId: string) => {
    const lane = lanes.get(userId);
    if (!lane) return;
    lane.running -= 1;
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(userId);
  };
  const handOver = (userId: string) => {
    const next = lanes.get(userId)?.waiting.shift();
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
