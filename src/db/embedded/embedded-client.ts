import type { Socket } from 'node:net';
import * as wire from './embedded-messages.ts';

/** Messages up to one that makes the session answer, and that one's type. */
type Batch = { bytes: Buffer; ends: string };

/** One client of the shared session. */
export type Client = {
  socket: Socket;
  batches: Batch[];
  /** Its prepared statements, by their names in the session. */
  statements: Set<string>;
  /** The channels it listens on. */
  channels: Set<string>;
  gone: boolean;
};

const ENDS_BATCH = new Set(['Q', 'F', 'S', 'H', 'c', 'f']);
const LISTEN = /^\s*(un)?listen\s+(?:"([^"]+)"|([\w*]+))/i;

/**
 * Reads what a client sends and collects it in batches, prepared statements renamed with `prefix`.
 *
 * @param greeting what the session answered to its own start-up
 * @param wake called when there is a batch to run, and when the client has gone
 */
export function readClient(
  socket: Socket,
  prefix: string,
  greeting: Promise<Buffer>,
  wake: (client: Client) => void,
): Client {
  const client: Client = {
    socket,
    batches: [],
    statements: new Set(),
    channels: new Set(),
    gone: false,
  };
  const frame = wire.createFramer();
  let batch: Buffer[] = [];

  function receive(message: wire.Message): void {
    if (message.type === 'encryption') return void socket.write('N');
    if (message.type === 'startup') return void greeting.then((bytes) => socket.write(bytes));
    if (message.type === 'X' || message.type === 'cancel') return void socket.end();
    batch.push(note(client, message, prefix));
    if (!ENDS_BATCH.has(message.type)) return;
    client.batches.push({ bytes: Buffer.concat(batch), ends: message.type });
    batch = [];
    wake(client);
  }

  socket.on('data', (chunk: Buffer) => {
    for (const message of frame(chunk)) receive(message);
  });
  // A reset connection is followed by 'close'.
  socket.on('error', () => {});
  socket.on('close', () => {
    client.gone = true;
    client.batches = [];
    wake(client);
  });
  return client;
}

/** The message as the session is to see it; remembers what is to be undone when the client goes. */
function note(client: Client, message: wire.Message, prefix: string): Buffer {
  const [bytes, name] = wire.prefixStatement(message, prefix);
  if (name && message.type === 'P') client.statements.add(name);
  if (name && message.type === 'C') client.statements.delete(name);
  if (message.type === 'Q') noteListen(client, bytes);
  return bytes;
}

/** LISTEN is seen in simple queries only, which is how `pg` sends it. */
function noteListen({ channels }: Client, bytes: Buffer): void {
  const found = LISTEN.exec(bytes.toString('utf8', 5, Math.min(bytes.length - 1, 200)));
  if (!found) return;
  const channel = found[2] ?? found[3]?.toLowerCase() ?? '';
  if (!found[1]) channels.add(channel);
  else if (channel === '*') channels.clear();
  else channels.delete(channel);
}
