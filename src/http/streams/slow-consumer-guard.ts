import type { Duplex } from 'node:stream';

/** A connection to watch: its client may read too slowly. */
type Outlet = {
  /** How many bytes wait in this process to be sent. A message counts in full until the last of it is sent. */
  pendingBytes(): number;
  /** How many bytes have been sent in all: it grows while a long message is being read, too. */
  sentBytes(): number;
  /** Called when the client is too slow. */
  drop(): void;
};

/** Closes the connections of slow consumers. */
export type SlowConsumerGuard = Disposable & {
  /** Watches a connection. @returns a function that ends the watch */
  watch(outlet: Outlet): () => void;
};

/** In bytes. */
type Bounds = {
  /** How much one client may leave unread for long. */
  most: number;
  /** How much all may leave unread together before those with more than `most` are dropped soon. */
  all: number;
};

type Watched = { sent: number; movedAt: number; lowAt: number };

const LOOK_EVERY = 1_000;
/**
 * How long a client may read nothing, in milliseconds. The system takes more of a message when about 1.5 MB of its buffers are
 * free again: a client that reads 150 kB/s seems to read nothing for 10 s. `tight`: with more than `most`, while all have left
 * too much unread.
 */
const PATIENCE = { tight: 2_000, other: 15_000 };
/** How long a client may leave more than `most` unread, in milliseconds, although it goes on reading. */
const LONGEST = 120_000;

/**
 * Creates a guard that drops clients that read nothing for `PATIENCE`, or leave more than `most` bytes unread for `LONGEST`. The
 * pending bytes cannot grow far, since an event is read from the log only when the one before it has been passed to the socket.
 */
export function createSlowConsumerGuard({ most, all }: Bounds): SlowConsumerGuard {
  const outlets = new Map<Outlet, Watched>();
  const isTooSlow = ({ movedAt, lowAt }: Watched, now: number, isTight: boolean) =>
    now - movedAt >= (isTight && lowAt !== now ? PATIENCE.tight : PATIENCE.other) ||
    now - lowAt >= LONGEST;
  const look = () => {
    const now = performance.now();
    const amounts = new Map([...outlets.keys()].map((each) => [each, each.pendingBytes()]));
    const isTight = [...amounts.values()].reduce((sum, amount) => sum + amount, 0) > all;
    for (const [outlet, last] of outlets) {
      const amount = amounts.get(outlet) ?? 0;
      const sent = outlet.sentBytes();
      if (amount === 0 || sent > last.sent) last.movedAt = now;
      if (amount <= most) last.lowAt = now;
      last.sent = sent;
      if (!isTooSlow(last, now, isTight)) continue;
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
      const now = performance.now();
      outlets.set(outlet, { sent: outlet.sentBytes(), movedAt: now, lowAt: now });
      timer ??= setInterval(look, LOOK_EVERY).unref();
      return () => {
        outlets.delete(outlet);
        stopIfIdle();
      };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

type Handle = { bytesWritten: number; writeQueueSize: number };

/** How many bytes the system has taken from a socket. The property `bytesWritten` of the socket has those, too, that still wait. */
export function sentBytesOf(socket: Duplex): number {
  const { _handle: handle } = socket as Duplex & { _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
