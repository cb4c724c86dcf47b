import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Logger } from '../../observability/logger.ts';
import { startWorkerFile } from '../../worker-file.ts';
import { PANICKED } from './embedded-messages.ts';
import type { WorkerOptions, WorkerRequest } from './embedded-worker.ts';

/** The worker thread in which the database runs. */
export type Thread = {
  /** Refuses or permits writes from the next statement on. */
  setReadOnly(isReadOnly: boolean): void;
  /** Closes the database. Returns the bytes of its files for `snapshot`, else null. */
  stop(ask: 'close' | 'snapshot'): Promise<ArrayBuffer | null>;
};

/** Milliseconds between two attempts to restart the database. */
const TRY_AGAIN_AFTER = 1_000;

/**
 * Starts the thread. After a PANIC for lack of disk space it restarts the database from its files, and retries until that
 * succeeds. Any other exit of the thread ends the process, which is useless without its database.
 */
export async function startThread(options: WorkerOptions, logger?: Logger): Promise<Thread> {
  let { readOnly } = options;
  let worker: Worker | null = await startWorker(options);
  let restarting = Promise.resolve();
  let stopped: Promise<ArrayBuffer | null> | undefined;

  const onExit = (code: number) => {
    if (code !== PANICKED || options.folder === null) {
      throw new Error(`The embedded database exited with code ${code}.`);
    }
    logger?.error('database.panicked');
    worker = null;
    restarting = restart();
  };
  const restart = async () => {
    while (!stopped && !worker) {
      rmSync(options.socket, { force: true });
      worker = await startWorker({ ...options, readOnly }).catch(async (error) => {
        logger?.warn({ err: error }, 'database.restart_failed');
        await delay(TRY_AGAIN_AFTER);
        return null;
      });
    }
    if (!worker) return;
    worker.once('exit', onExit);
    // The setting may have changed during the start.
    setReadOnly(readOnly);
    logger?.info('database.restarted');
  };
  const setReadOnly = (isReadOnly: boolean) => {
    readOnly = isReadOnly;
    const ask = isReadOnly ? 'read-only' : 'read-write';
    worker?.postMessage({ ask } satisfies WorkerRequest);
  };
  const stop = async (ask: 'close' | 'snapshot') => {
    await restarting;
    worker?.off('exit', onExit);
    return worker && stopWorker(worker, ask);
  };

  worker.once('exit', onExit);
  return {
    setReadOnly,
    stop(ask) {
      stopped ??= stop(ask);
      return stopped;
    },
  };
}

/** Starts a worker. Resolves when its database accepts connections. */
async function startWorker(workerData: WorkerOptions): Promise<Worker> {
  const worker = startWorkerFile('db/embedded/embedded-worker', {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
  });
  await new Promise<void>((done, fail) => {
    worker.once('message', () => done());
    worker.once('error', fail);
    worker.once('exit', (code) =>
      fail(new Error(`The embedded database exited with code ${code}.`)),
    );
  });
  worker.removeAllListeners();
  worker.unref();
  return worker;
}

async function stopWorker(worker: Worker, ask: WorkerRequest['ask']): Promise<ArrayBuffer | null> {
  worker.ref();
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
