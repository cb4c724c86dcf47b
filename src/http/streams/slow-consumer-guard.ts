/** A connection on which the client may be too slow to read. */
type Outlet = {
  /** Bytes that wait in this process to be sent. */
  pendingBytes(): number;
  /** Called when the client is too slow. */
  drop(): void;
};

/** Drops clients that do not read what they are sent. */
export type SlowConsumerGuard = Disposable & {
  /** @returns a function that ends the watch */
  watch(outlet: Outlet): () => void;
};

const LOOK_EVERY = 1_000;
/** How long a client may read nothing, in milliseconds: with more waiting than is allowed, and with less. */
const PATIENCE = { over: 2_000, under: 15_000 };

/**
 * Drops clients that leave more than `most` bytes unread without catching up, or that read nothing at
 * all for a while. What waits cannot grow far: an event is read from the log only when the one
 * before it has been handed over.
 */
export function createSlowConsumerGuard(most: number): SlowConsumerGuard {
  const outlets = new Map<Outlet, { amount: number; movedAt: number }>();
  const look = () => {
    const now = performance.now();
    for (const [outlet, last] of outlets) {
      const amount = outlet.pendingBytes();
      if (amount === 0 || amount < last.amount) last.movedAt = now;
      last.amount = amount;
      const patience = amount > most ? PATIENCE.over : PATIENCE.under;
      if (now - last.movedAt < patience) continue;
      outlets.delete(outlet);
      outlet.drop();
    }
  };
  const timer = setInterval(look, LOOK_EVERY).unref();
  return {
    watch(outlet) {
      outlets.set(outlet, { amount: 0, movedAt: performance.now() });
      return () => void outlets.delete(outlet);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
