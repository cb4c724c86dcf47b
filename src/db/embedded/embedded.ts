import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { DatabaseUnavailable } from '../../domain/core/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { NO_ROOM } from '../core/unavailable.ts';
import { type DiskSpace, freeBytesOf, watchDiskSpace } from './disk-space.ts';
import { syncFolder } from './embedded-files.ts';
import type { Housekeeping } from './embedded-housekeeping.ts';
import { copyImage } from './embedded-image.ts';
import { startThread, type Thread } from './embedded-thread.ts';
import type { WorkerOptions } from './embedded-worker.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';

/** A PostgreSQL inside this process, and how `pg` reaches it. */
export type Embedded = AsyncDisposable & {
  connection: pg.PoolConfig;
  /** The free space of its disk; null if it is not watched. */
  disk: DiskSpace | null;
  /** Tells other processes that want the folder where the server of this one is. */
  recordAddress(url: string): void;
};

export type EmbeddedOptions = {
  /** The data folder; null keeps the data in memory. */
  folder: string | null;
  /** A file written by `saveSnapshot`, or one compressed by gzip, from which a new database starts in a third of the time. */
  snapshot?: string | null;
  /** Whether a commit may wait for the disk, so that it survives a power cut too. True by default. */
  flush?: boolean;
  /** How long a transaction may be idle while other clients wait, in milliseconds, before its client is disconnected. */
  idleTransactionMs?: number;
  /** Writes are refused while less than this is free, in bytes. Without it, writes fail once the disk is full. */
  reserveBytes?: number | null;
  /** For tests: measures the free bytes, instead of those of the folder's disk. */
  measureDisk?: () => Promise<number | null>;
  logger?: Logger;
  /** Called when the database opens in its own thread, and has nothing left to do in this one. */
  onThreadStarted?: (() => void) | undefined;
  /** For tests: the times of housekeeping, in milliseconds. */
  housekeeping?: Partial<Omit<Housekeeping, 'scrubbed'>>;
};

const PORT = 5432;
const HOUSEKEEPING = {
  everyMs: 15_000,
  lookEveryMs: 1_000,
  scrubAfterMs: 60_000,
  scrubWithinMs: 600_000,
};
/** The name of a file that marks a data folder until its first start has finished. */
const UNFINISHED = 'unfinished';

/**
 * Starts PGlite with pgvector in a worker thread and serves it on a private Unix socket. Disposing disconnects all clients,
 * checkpoints, closes the database and unlocks the folder. A process that ends without disposing loses no acknowledged
 * commit, except of transactions that do not wait for the disk (`Tx.commitUnflushed`).
 *
 * @throws {DataFolderLocked} if another process uses the folder
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { connection, disk, recordAddress, stop } = await start(options);
  return {
    connection,
    disk,
    recordAddress,
    [Symbol.asyncDispose]: async () => void (await stop('close')),
  };
}

/** Starts a database in memory, fills it by `prepare`, and writes it to a file for the option `snapshot`. */
export async function saveSnapshot(
  path: string,
  prepare: (connection: pg.PoolConfig) => Promise<unknown>,
): Promise<void> {
  const { connection, stop } = await start({ folder: null });
  const prepared = await Promise.resolve(connection)
    .then(prepare)
    .then(
      () => null,
      (error: unknown) => ({ error }),
    );
  const bytes = await stop(prepared ? 'close' : 'snapshot');
  if (prepared) throw prepared.error;
  await writeFile(path, new Uint8Array(bytes ?? new ArrayBuffer(0)), { mode: 0o600 });
}

async function start(options: EmbeddedOptions) {
  const scratch = await mkdtemp(join(tmpdir().length < 60 ? tmpdir() : '/tmp', 'mg-'));
  const folder = options.folder === null ? null : resolve(options.folder);
  let lock: FolderLock | undefined;
  let disk: DiskSpace | null = null;
  let thread: Thread | undefined;
  const removeScratch = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', removeScratch);
  const release = async () => {
    disk?.[Symbol.dispose]();
    await lock?.[Symbol.asyncDispose]();
    removeScratch();
    process.off('exit', removeScratch);
  };
  try {
    if (folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const alias = join(scratch, 'data');
      await symlink(folder, alias);
      lock = await lockFolder(folder, alias);
    }
    disk = await watchFolder(folder, options, (isLow) => thread?.setReadOnly(isLow));
    const connection = {
      host: scratch,
      port: PORT,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
    };
    const workerOptions: WorkerOptions = {
      ...settingsOf(options, folder),
      folder: folder && (await prepareDataFolder(folder, options)),
      connection,
      socket: join(scratch, `.s.PGSQL.${PORT}`),
      readOnly: disk?.isLow() === true,
    };
    const open = (logger?: Logger) => {
      const starting = startThread(workerOptions, logger);
      options.onThreadStarted?.();
      return starting;
    };
    if (folder && existsSync(join(folder, UNFINISHED))) {
      // Creating a database takes 200 MB of memory, which is only freed when its thread ends.
      await (await open()).stop('close');
      if (workerOptions.flush && workerOptions.folder) await syncFolder(workerOptions.folder);
      await rm(join(folder, UNFINISHED));
    }
    const running = await open(options.logger);
    thread = running;
    running.setReadOnly(disk?.isLow() === true);
    return {
      connection,
      disk,
      recordAddress: (url: string) => lock?.recordAddress(url),
      stop: (ask: Parameters<Thread['stop']>[0]) => running.stop(ask).finally(release),
    };
  } catch (error) {
    await release();
    throw disk?.isLow() ? new DatabaseUnavailable(error, NO_ROOM) : error;
  }
}

function settingsOf(options: EmbeddedOptions, folder: string | null) {
  return {
    snapshot: options.snapshot ?? null,
    flush: options.flush ?? true,
    idleTransactionMs: options.idleTransactionMs ?? 60_000,
    housekeeping: {
      ...{ ...HOUSEKEEPING, ...options.housekeeping },
      scrubbed: folder && join(folder, 'scrubbed'),
    },
  };
}

async function watchFolder(
  folder: string | null,
  { reserveBytes, logger, measureDisk }: EmbeddedOptions,
  onChange: (isLow: boolean) => void,
): Promise<DiskSpace | null> {
  const measure = measureDisk ?? (folder === null ? null : () => freeBytesOf(folder));
  return measure && reserveBytes
    ? watchDiskSpace({ reserveBytes, measure, logger }, onChange)
    : null;
}

/** Prepares PostgreSQL's own folder and returns its path. Discards the data of an unfinished first start, which nobody has used yet. */
async function prepareDataFolder(folder: string, { flush = true }: EmbeddedOptions) {
  const data = join(folder, 'postgres');
  const unfinished = join(folder, UNFINISHED);
  if (existsSync(unfinished)) await rm(data, { recursive: true, force: true });
  if (!existsSync(data)) {
    await writeFile(unfinished, '');
    if (await copyImage(data)) {
      if (flush) await syncFolder(data);
      await rm(unfinished);
    } else await mkdir(data, { mode: 0o700 });
  }
  return data;
}
