import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Batch, type Client, readClient } from './embedded-client.ts';
import * as wire from './embedded-messages.ts';
import { createStatements } from './embedded-statements.ts';

/** The one session of a single-user PostgreSQL. */
export type Session = {
  /** Executes whole messages and returns everything that the session answers. */
  execute(messages: Uint8Array): Promise<Buffer>;
  inTransaction(): boolean;
};

/**
 * Shares one session between many clients, as if each had its own. Batches run one at a time in order of arrival. A client
 * inside a transaction, or between a Flush and its Sync, has the session to itself. Prepared statements are renamed: those of
 * the same name and text are one, which outlives its clients. Notifications go to the clients that listen. When a client
 * disconnects, its transaction is rolled back. Settings made outside a transaction, temporary tables and session-level advisory
 * locks are still shared. A statement whose columns change later, or that DEALLOCATE ends, cannot be prepared again.
 *
 * (`@electric-sql/pglite-socket` 0.2 queues single messages instead of batches, and does not rename prepared statements:
 * it fails when two clients prepare the same name.)
 */
export function createMultiplexer(session: Session, options: { idleTransactionMs: number }) {
  const clients = new Set<Client>();
  const waiting = new Set<Client>();
  const statements = createStatements();
  let owner: Client | null = null;
  let unsynced = false;
  let running = false;
  let guard: NodeJS.Timeout | undefined;
  let onExecuted = () => {};
  let busyMs = 0;
  let readOnly = { wanted: false, isDefault: false };
  const greeting = session.execute(wire.startup());

  function next(): Client | undefined {
    const [first] = waiting;
    const client = owner ?? first;
    return client && waiting.delete(client) ? client : undefined;
  }

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    clearTimeout(guard);
    for (let client = next(); client; client = next()) {
      await (client.gone ? leave(client) : serve(client));
      // Let Node.js read the sockets, so that other clients get their turn in order of arrival.
      await new Promise(setImmediate);
    }
    running = false;
    if (owner && waiting.size > 0) guard = setTimeout(evict, options.idleTransactionMs, owner);
  }

  /** Runs a client's next batch, and those behind it while nobody else may run one. They are answered together. */
  async function serve(client: Client): Promise<void> {
    client.socket.cork();
    for (let batch = client.batches.shift(); batch; batch = client.batches.shift()) {
      await step(client, batch);
      if (owner !== client) break;
    }
    client.socket.uncork();
    // Each of the batches had added it.
    if (client.batches.length > 0 || client.gone) waiting.add(client);
    else waiting.delete(client);
  }

  async function step(client: Client, batch: Batch): Promise<void> {
    await applyReadOnly();
    onExecuted();
    const began = performance.now();
    const { bytes, preparing } = statements.translate(client, batch);
    const reply = await session.execute(bytes);
    busyMs += performance.now() - began;
    statements.settle(client, preparing, reply);
    unsynced = batch.at(-1)?.type === 'H';
    owner = unsynced || session.inTransaction() ? client : null;
    deliver(client, reply);
  }

  /** Applies `setReadOnly` to the session, also inside an open transaction. */
  async function applyReadOnly(): Promise<void> {
    const { wanted, isDefault } = readOnly;
    if (unsynced || wanted === isDefault) return;
    if (!session.inTransaction()) {
      readOnly = { ...readOnly, isDefault: wanted };
      await session.execute(wire.query(`SET default_transaction_read_only = ${wanted}`));
    } else if (wanted) await session.execute(wire.query('SET LOCAL transaction_read_only = on'));
  }

  function deliver(client: Client, reply: Buffer): void {
    const listeners = [...clients].filter(({ channels }) => channels.size > 0);
    if (listeners.length === 0) return void client.socket.write(reply);
    const { rest, notifications } = wire.takeNotifications(reply);
    client.socket.write(rest);
    for (const { channel, bytes } of notifications) {
      for (const listener of listeners) {
        if (listener.channels.has(channel)) listener.socket.write(bytes);
      }
    }
  }

  /** Rolls back the transaction that a disconnected client left in the session. */
  async function leave(client: Client): Promise<void> {
    if (!clients.delete(client)) return;
    if (owner === client) {
      if (unsynced) await session.execute(wire.sync());
      if (session.inTransaction()) await session.execute(wire.query('ROLLBACK'));
      unsynced = false;
      owner = null;
    }
  }

  function evict(client: Client): void {
    const seconds = options.idleTransactionMs / 1000;
    const reason = `transaction idle for ${seconds} s while other clients waited`;
    client.socket.write(wire.fatal('25P03', reason));
    client.socket.destroySoon();
  }

  /** Serves a new client until it disconnects. */
  function accept(socket: Socket): void {
    const wake = (client: Client) => {
      waiting.add(client);
      void run();
    };
    clients.add(readClient(socket, greeting, wake));
  }

  /** Disconnects all clients and rolls back open transactions. */
  async function close(): Promise<void> {
    for (const { socket } of clients) socket.destroy();
    while (clients.size > 0 || running) await delay(1);
    clearTimeout(guard);
  }

  return {
    accept,
    close,
    /** Refuses or permits writes from the next statement on. Transactions that begin as READ WRITE may always write. */
    setReadOnly: (wanted: boolean) => {
      readOnly = { ...readOnly, wanted };
    },
    isReadOnly: () => readOnly.wanted,
    /** Calls a function for each batch that is executed from now on. */
    onExecuted: (call: () => void) => {
      onExecuted = call;
    },
    /** How long all batches took, in milliseconds. */
    busyMs: () => busyMs,
  };
}
