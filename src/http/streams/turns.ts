/** Lets one user's work take turns with everybody else's. */
export type Turns = {
  /** Does a piece of a user's work when it is its turn. */
  take<T>(userId: string, work: () => Promise<T>): Promise<T>;
};

type Lane = { running: number; waiting: (() => void)[] };

/**
 * However much of one user's work there is, so few pieces of it are under way at a time. The next
 * ones begin when the event loop has come round: what others asked for meanwhile comes first.
 * @param most pieces at a time
 */
export function createTurns(most: number): Turns {
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
