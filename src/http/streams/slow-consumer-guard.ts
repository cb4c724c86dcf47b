/** A connection to watch: its client may read too slowly. */
type Outlet = {
  /** How many bytes wait in this process to be sent. */
  pendingBytes(): number;
  /** Called when the client is too slow. */
  drop(): void;
};

/** Closes the connections of slow consumers. */
export type SlowConsumerGuard = Disposable & {
  /** Watches a connection. @returns a function that ends the watch */
  watch(outlet: Outlet): () => void;
};

const LOOK_EVERY = 1_000;
/** How long a client may read nothing, in milliseconds: above the limit of pending bytes, and below it. */
const PATIENCE = { over: 2_000, under: 15_000 };

/**
 * Creates a guard that drops clients that read nothing for `PATIENCE.over` while more than `most` bytes are pending,
 * or for `PATIENCE.under` while fewer are. The pending bytes cannot grow far, since an event is read from the log only
 * when the one before it has been passed to the socket.
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
  /** Runs while there are outlets. */
  let timer: NodeJS.Timeout | undefined;
  const stopIfIdle = () => {
    if (outlets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch(outlet) {
      outlets.set(outlet, { amount: 0, movedAt: performance.now() });
      timer ??= setInterval(look, LOOK_EVERY).unref();
      return () => {
        outlets.delete(outlet);
        stopIfIdle();
      };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
