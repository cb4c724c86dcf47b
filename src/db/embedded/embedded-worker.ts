import { openAsBlob } from 'node:fs';
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type pg from 'pg';
import { durableFolder } from './embedded-files.ts';
import { type Housekeeping, startHousekeeping } from './embedded-housekeeping.ts';
import { isPanic, PANICKED } from './embedded-messages.ts';
import { createMultiplexer } from './embedded-multiplexer.ts';

/** The options with which the main thread starts the worker. */
export type WorkerOptions = {
  /** Null keeps everything in memory. */
  folder: string | null;
  /** The path of the Unix socket to listen on. `connection` names the same socket for `pg`. */
  socket: string;
  connection: pg.PoolConfig;
  snapshot: string | null;
  flush: boolean;
  idleTransactionMs: number;
  /** Whether writes are refused from the start. */
  readOnly: boolean;
  housekeeping: Housekeeping;
};
/** A request of the main thread, sent after the worker has reported that it is ready. */
export type WorkerRequest = { ask: 'close' | 'snapshot' | 'read-only' | 'read-write' };

const options = workerData as WorkerOptions;
const port = parentPort;
if (!port) throw new Error('embedded-worker.ts runs in a worker thread');

const db = await PGlite.create({
  ...(options.folder ? { fs: durableFolder(options.folder) } : {}),
  ...(options.snapshot ? { loadDataDir: await openSnapshot(options.snapshot) } : {}),
  extensions: { vector },
  // Smaller than PostgreSQL's 16 MB: halves the time to create, dump and load a new database.
  initDbStartParams: ['--wal-segsize=1'],
  startParams: startParams(),
});

const multiplexer = createMultiplexer(
  {
    async execute(messages) {
      const reply: Buffer[] = [];
      // The bytes are a view of the database's memory: copy them.
      const onRawData = (bytes: Uint8Array) => void reply.push(Buffer.from(bytes));
      await db.execProtocolRawStream(messages, { syncToFs: false, onRawData });
      const bytes = Buffer.concat(reply);
      // After a PANIC, PGlite would answer no client any more.
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

const housekeeping = startHousekeeping(options.connection, options.housekeeping, multiplexer);

port.on('message', async ({ ask }: WorkerRequest) => {
  if (ask === 'read-only' || ask === 'read-write') {
    return multiplexer.setReadOnly(ask === 'read-only');
  }
  await housekeeping[Symbol.asyncDispose]();
  server.close();
  await multiplexer.close();
  // Closing also checkpoints, but only after the snapshot is taken.
  if (ask === 'snapshot') {
    await db.exec('CHECKPOINT');
    port.postMessage(await (await db.dumpDataDir('none')).arrayBuffer());
  }
  await db.close();
  port.close();
});
port.postMessage('ready');

/** PGlite goes by the type. */
async function openSnapshot(path: string): Promise<Blob> {
  return openAsBlob(path, path.endsWith('.gz') ? { type: 'application/gzip' } : {});
}

/** Returns PGlite's start parameters with our settings, and with fsync if the files must survive a power cut. */
function startParams(): string[] {
  const flush = options.folder !== null && options.flush;
  const defaults = PGlite.defaultStartParams.filter((each) => !(flush && each === '-F'));
  const settings = [
    'wal_sync_method=fsync',
    'jit=off',
    // The pages that are read are in memory: reading them in any order costs the same.
    'random_page_cost=1.1',
    'wal_level=minimal',
    'max_wal_senders=0',
    // Taken whole at the start. It holds what 10,000 turns are searched by; another page comes from the cache of the operating system
    // in 10 µs.
    'shared_buffers=32MB',
    // ANALYZE reads 300 rows for each: of the default, 100, it would stop everything else for half a second.
    'default_statistics_target=30',
    // A recycled log file would still contain what was written to it long ago.
    'wal_recycle=off',
  ];
  return [...defaults, ...settings.flatMap((setting) => ['-c', setting])];
}
