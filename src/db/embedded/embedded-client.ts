import type { Socket } from 'node:net';
import * as wire from './embedded-messages.ts';

/** Messages up to one that the session answers. */
export type Batch = wire.Message[];

/** One client of the shared session. */
export type Client = {
  socket: Socket;
  batches: Batch[];
  /** The session's names of its prepared statements, by its own names. */
  statements: Map<string, string>;
  /** The channels it listens on. */
  channels: Set<string>;
  gone: boolean;
};

const ENDS_BATCH = new Set(['Q', 'F', 'S', 'H', 'c', 'f']);
const LISTEN = /^\s*(un)?listen\s+(?:"([^"]+)"|([\w*]+))/i;

/**
 * Reads a client's messages and collects them in batches.
 *
 * @param greeting the session's answer to its own start-up message
 * @param wake called when a batch is ready to run, and when the client has disconnected
 */
export function readClient(
  socket: Socket,
  greeting: Promise<Buffer>,
  wake: (client: Client) => void,
): Client {
  const client: Client = {
    socket,
    batches: [],
    statements: new Map(),
    channels: new Set(),
    gone: false,
  };
  const frame = wire.createFramer();
  let batch: Batch = [];

  function receive(message: wire.Message): void {
    if (message.type === 'encryption') return void socket.write('N');
    if (message.type === 'startup') return void greeting.then((bytes) => socket.write(bytes));
    if (message.type === 'X' || message.type === 'cancel') return void socket.end();
    if (message.type === 'Q') trackListen(client, message.bytes);
    batch.push(message);
    if (!ENDS_BATCH.has(message.type)) return;
    client.batches.push(batch);
    batch = [];
    wake(client);
  }

  socket.on('data', (chunk: Buffer) => {
    for (const message of frame(chunk)) receive(message);
  });
  // After an error 'close' follows, which cleans up.
  socket.on('error', () => {});
  socket.on('close', () => {
    client.gone = true;
    client.batches = [];
    wake(client);
  });
  return client;
}

/** Records LISTEN and UNLISTEN. It recognises them in simple queries only, which is how `pg` sends them. */
function trackListen({ channels }: Client, bytes: Buffer): void {
  const found = LISTEN.exec(bytes.toString('utf8', wire.HEADER, Math.min(bytes.length - 1, 200)));
  if (!found) return;
  const channel = found[2] ?? found[3]?.toLowerCase() ?? '';
  if (!found[1]) channels.add(channel);
  else if (channel === '*') channels.clear();
  else channels.delete(channel);
}
