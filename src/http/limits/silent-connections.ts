import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many connections may be open that have sent no request yet, and when further ones are closed. */
export type SilenceLimit = {
  most: number;
  /** How long a new connection may be silent in any case, in milliseconds. */
  patience: number;
};

const LIMIT: SilenceLimit = { most: 500, patience: 1_000 };
/** How many connections are closed at a time, and the pause before the next ones, in milliseconds. */
const CLOSED = { atATime: 25, pause: 10 };

/**
 * Closes the connections that have been silent for the longest while there are too many that have sent no request. If clients
 * could keep thousands of them open, closing all at the same moment would stop the event loop for 100 ms or more.
 * @returns a function for when the server stops: from then on every connection is closed that has been silent for that long, since
 *   it would hold up the stop
 */
export function limitSilentConnections(
  http: Server,
  { most, patience }: SilenceLimit = LIMIT,
): () => void {
  let permitted = most;
  /** When each was opened; the oldest first. */
  const silent = new Map<Duplex, number>();
  let timer: NodeJS.Timeout | undefined;

  const closeSome = () => {
    timer = undefined;
    const before = performance.now() - patience;
    let left = CLOSED.atATime;
    for (const [socket, since] of silent) {
      if (left === 0 || silent.size <= permitted || since > before) break;
      left -= 1;
      silent.delete(socket);
      socket.destroy();
    }
    look();
  };
  const look = () => {
    const [oldest] = silent.values();
    if (timer || silent.size <= permitted || oldest === undefined) return;
    const due = oldest + patience - performance.now();
    timer = setTimeout(closeSome, Math.max(CLOSED.pause, due));
    timer.unref();
  };

  http.on('connection', (socket: Duplex) => {
    silent.set(socket, performance.now());
    socket.once('close', () => silent.delete(socket));
    look();
  });
  const spoke = ({ socket }: { socket: Duplex }) => silent.delete(socket);
  http.on('request', spoke);
  http.on('upgrade', spoke);
  return () => {
    permitted = 0;
    look();
  };
}
