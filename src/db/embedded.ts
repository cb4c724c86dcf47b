import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { WorkerOptions, WorkerRequest } from './embedded-worker.ts';
import { lockFolder } from './folder-lock.ts';

/** A PostgreSQL inside this process, and how `pg` reaches it. */
export type Embedded = AsyncDisposable & {
  connection: pg.PoolConfig;
};

export type EmbeddedOptions = {
  /** Where the data lives; null keeps it in memory. */
  folder: string | null;
  /** A file made by `saveSnapshot`: a new database starts from it, in a third of the time. */
  snapshot?: string;
  /** Whether a commit waits for the disk, so that it survives a power cut too. True by default. */
  flush?: boolean;
  /** After how long an idle transaction is ended when others wait for it, in milliseconds. */
  idleTransactionMs?: number;
  /** Other than usual for tests: how often to tidy up, and how long after something was forgotten to scrub the files. */
  housekeeping?: { everyMs: number; scrubAfterMs: number };
};

const PORT = 5432;
const HOUSEKEEPING = { everyMs: 15_000, scrubAfterMs: 60_000 };
/** Stands in a data folder while its first start is under way. */
const UNFINISHED = 'unfinished';

/**
 * Starts PGlite with pgvector in a worker thread and serves it on a private Unix socket. Disposing
 * disconnects everybody, checkpoints, closes and unlocks; a process that ends without disposing
 * loses no acknowledged commit.
 *
 * @throws {DataFolderLocked} when another process works with the folder
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { connection, stop } = await start(options);
  return { connection, [Symbol.asyncDispose]: async () => void (await stop('close')) };
}

/** Starts a database in memory, lets `prepare` fill it, and writes it to a file for `snapshot`. */
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
  const room = await mkdtemp(join(tmpdir().length < 60 ? tmpdir() : '/tmp', 'mg-'));
  const folder = options.folder === null ? null : resolve(options.folder);
  let lock: AsyncDisposable | undefined;
  const removeRoom = () => rmSync(room, { recursive: true, force: true });
  process.once('exit', removeRoom);
  const release = async () => {
    await lock?.[Symbol.asyncDispose]();
    removeRoom();
    process.off('exit', removeRoom);
  };
  try {
    if (folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const alias = join(room, 'data');
      await symlink(folder, alias);
      lock = await lockFolder(folder, alias);
    }
    const connection = {
      host: room,
      port: PORT,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
    };
    const workerOptions: WorkerOptions = {
      folder: folder && (await prepareDataFolder(folder)),
      connection,
      socket: join(room, `.s.PGSQL.${PORT}`),
      snapshot: options.snapshot ?? null,
      flush: options.flush ?? true,
      idleTransactionMs: options.idleTransactionMs ?? 60_000,
      housekeeping: {
        ...(options.housekeeping ?? HOUSEKEEPING),
        scrubbed: folder && join(folder, 'scrubbed'),
      },
    };
    if (folder && existsSync(join(folder, UNFINISHED))) {
      // Making a database takes 200 MB that only end with the thread that did it.
      await stopWorker(await startWorker(workerOptions), 'close');
      await rm(join(folder, UNFINISHED));
    }
    const worker = await startWorker(workerOptions);
    let stopped: Promise<ArrayBuffer | null> | undefined;
    return {
      connection,
      stop: (ask: WorkerRequest['ask']) => {
        stopped ??= stopWorker(worker, ask).finally(release);
        return stopped;
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** PostgreSQL's own folder. What a first start did not finish is made anew: nobody used it yet. */
async function prepareDataFolder(folder: string): Promise<string> {
  const data = join(folder, 'postgres');
  const unfinished = join(folder, UNFINISHED);
  if (existsSync(unfinished)) await rm(data, { recursive: true, force: true });
  if (!existsSync(data)) {
    await writeFile(unfinished, '');
    await mkdir(data, { mode: 0o700 });
  }
  return data;
}

/** The running worker, once its database takes connections. A worker that dies later ends the process. */
async function startWorker(workerData: WorkerOptions): Promise<Worker> {
  const worker = new Worker(workerSource(), {
    eval: true,
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
  });
  await new Promise<void>((done, fail) => {
    worker.once('message', () => done());
    worker.once('error', fail);
    worker.once('exit', (code) =>
      fail(new Error(`The embedded database ended with code ${code}.`)),
    );
  });
  worker.removeAllListeners();
  worker.once('exit', died);
  worker.unref();
  return worker;
}

/** Without its database the process is of no use; thrown here, it ends the process. */
function died(code: number): never {
  throw new Error(`The embedded database died with code ${code}.`);
}

/** Node 20 gives a worker neither the loader of `--import tsx` nor Vitest's. */
function workerSource(): string {
  if (import.meta.url.endsWith('.js'))
    return `import('${new URL('./embedded-worker.js', import.meta.url)}')`;
  const tsx = import.meta.resolve('tsx/esm/api');
  const worker = new URL('./embedded-worker.ts', import.meta.url);
  return `import('${tsx}').then(({ register }) => { register(); return import('${worker}'); })`;
}

/** Closes the database and ends the worker; the bytes of the data folder when a snapshot was asked for. */
async function stopWorker(worker: Worker, ask: WorkerRequest['ask']): Promise<ArrayBuffer | null> {
  worker.ref();
  worker.off('exit', died);
  let bytes: ArrayBuffer | null = null;
  await new Promise<void>((done, fail) => {
    worker.on('message', (sent: ArrayBuffer) => {
      bytes = sent;
    });
    worker.once('error', fail);
    worker.once('exit', () => done());
    worker.postMessage({ ask } satisfies WorkerRequest);
  });
  return bytes;
}
