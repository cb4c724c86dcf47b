import { openAsBlob } from 'node:fs';
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type pg from 'pg';
import { durableFolder, syncFolder } from './embedded-files.ts';
import { type Housekeeping, startHousekeeping } from './embedded-housekeeping.ts';
import { isPanic, PANICKED } from './embedded-messages.ts';
import { createMultiplexer } from './embedded-multiplexer.ts';

/** What the main thread tells the worker. */
export type WorkerOptions = {
  /** Null keeps everything in memory. */
  folder: string | null;
  /** The Unix socket to listen on, as `connection` says it to `pg`. */
  socket: string;
  connection: pg.PoolConfig;
  snapshot: string | null;
  flush: boolean;
  idleTransactionMs: number;
  /** Whether nothing is written at first. */
  readOnly: boolean;
  housekeeping: Housekeeping;
};
/** What the main thread asks for, after the worker said it is ready. */
export type WorkerRequest = { ask: 'close' | 'snapshot' | 'read-only' | 'read-write' };

const options = workerData as WorkerOptions;
const port = parentPort;
if (!port) throw new Error('embedded-worker.ts runs in a worker thread');

const db = await PGlite.create({
  ...(options.folder ? { fs: durableFolder(options.folder) } : {}),
  ...(options.snapshot ? { loadDataDir: await openAsBlob(options.snapshot) } : {}),
  extensions: { vector },
  // Smaller than PostgreSQL's 16 MB: half the time to make, dump and load a new database.
  initDbStartParams: ['--wal-segsize=1'],
  startParams: startParams(),
});
if (options.folder && options.flush) await syncFolder(options.folder);

const multiplexer = createMultiplexer(
  {
    async execute(messages) {
      const reply: Buffer[] = [];
      // The bytes are a view of the database's memory: copy them.
      const onRawData = (bytes: Uint8Array) => void reply.push(Buffer.from(bytes));
      await db.execProtocolRawStream(messages, { syncToFs: false, onRawData });
      const bytes = Buffer.concat(reply);
      // Left running, PGlite would answer nobody any more.
      if (isPanic(bytes)) process.exit(PANICKED);
      return bytes;
    },
    inTransaction: () => db.isInTransaction(),
  },
  options,
);
multiplexer.setReadOnly(options.readOnly);
const server = createServer((socket) => multiplexer.accept(socket));
await new Promise<void>((resolve) => void server.listen(options.socket, resolve));

const housekeeping = startHousekeeping(
  options.connection,
  options.housekeeping,
  multiplexer.isReadOnly,
);

port.on('message', async ({ ask }: WorkerRequest) => {
  if (ask === 'read-only' || ask === 'read-write') {
    return multiplexer.setReadOnly(ask === 'read-only');
  }
  await housekeeping[Symbol.asyncDispose]();
  server.close();
  await multiplexer.close();
  // Closing checkpoints too, but what is copied must not wait for it.
  if (ask === 'snapshot') {
    await db.exec('CHECKPOINT');
    port.postMessage(await (await db.dumpDataDir('none')).arrayBuffer());
  }
  await db.close();
  port.close();
});
port.postMessage('ready');

/** PGlite's own, with a real fsync where files are to survive a power cut. */
function startParams(): string[] {
  const flush = options.folder !== null && options.flush;
  const own = PGlite.defaultStartParams.filter((each) => !(flush && each === '-F'));
  const settings = [
    'wal_sync_method=fsync',
    'jit=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    'shared_buffers=64MB',
    // A recycled file of the log would hold what was written into it long ago.
    'wal_recycle=off',
  ];
  return [...own, ...settings.flatMap((setting) => ['-c', setting])];
}
