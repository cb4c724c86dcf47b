import type { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import { ModelUnavailable } from '../domain/core/errors.ts';
import type { LoadingModel } from '../domain/core/loading-model.ts';
import { startWorkerFile } from '../worker-file.ts';
import { describeProgress, type Progress, reportNowAndThen } from './progress.ts';
import type { ModelEvents, ModelFunctions } from './serve-model.ts';

/** Logs that a model is being downloaded, was loaded or failed. */
export type ModelNotice = (
  level: 'info' | 'error',
  what: { model: string; seconds?: number; progress?: string; reason?: string },
  event: 'model.fetching' | 'model.loaded' | 'model.failed',
) => void;

export type ModelThreadOptions = {
  /** The thread's module, see `startWorkerFile`. */
  module: string;
  /** Says which model to load; passed to the thread. */
  workerData: unknown;
  /** Names the model in messages, such as "The embedding model all-MiniLM-L6-v2". */
  title: string;
  /** Advises the operator what to do when the model cannot be loaded. */
  advice: string;
  notice: ModelNotice;
  clock: () => Date;
  /** How long a call waits for the model to be loaded, in milliseconds. */
  patience?: number;
};

/** A model in a thread of its own. */
export type ModelThread<Input, Output, About> = LoadingModel &
  AsyncDisposable & {
    /** The properties of the model; null until it is loaded. */
    readonly about: About | null;
    /** Waits until the model is loaded. @throws ModelUnavailable when it failed, or is not loaded in time */
    loaded(): Promise<About>;
    /**
     * Runs the model once it is loaded.
     * @throws ModelUnavailable when it failed, or is not loaded in time
     * @throws the thread's error when the run fails
     * @throws the signal's reason when it is aborted
     */
    run(input: Input, signal?: AbortSignal): Promise<Output>;
  };

type Running<Input, Output, About> = {
  worker: Worker;
  rpc: BirpcReturn<ModelFunctions<Input, Output>, ModelEvents<About>>;
  loaded: Promise<About>;
  about: About | null;
  progress: Progress | null;
};

const PATIENCE = 10_000;
/** When a caller should try again while the model is loading, in milliseconds. */
const RETRY_LOADING_AFTER = 5_000;
/** When a model that failed is loaded again, in milliseconds. */
const RELOAD_AFTER = 60_000;
/** How often the progress of a download is logged, in milliseconds. */
const LOG_EVERY = 5_000;

/** Starts the thread and loads the model. A model that failed is loaded again, on the first use after a minute. */
export function createModelThread<Input, Output, About>({
  patience = PATIENCE,
  ...options
}: ModelThreadOptions): ModelThread<Input, Output, About> {
  const { title, clock } = options;
  let running: Running<Input, Output, About> | null = null;
  let failure: ModelUnavailable | null = null;
  let closed = false;
  let lastId = 0;
  const after = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  // The thread keeps the process alive only while calls wait for it.
  let waiting = 0;
  const waitFor = async <T>({ worker }: { worker: Worker }, work: Promise<T>): Promise<T> => {
    if (++waiting === 1) worker.ref();
    try {
      return await work;
    } finally {
      if (--waiting === 0) worker.unref();
    }
  };

  const start = () => {
    const started = startModel<Input, Output, About>(options, (reason) => {
      if (running !== started) return;
      running = null;
      if (closed) return;
      failure = new ModelUnavailable(`${title} ${reason}`, after(RELOAD_AFTER));
      options.notice('error', { model: title, reason }, 'model.failed');
    });
    running = started;
    failure = null;
    return started;
  };

  const current = () => {
    if (closed) throw new ModelUnavailable(`${title} is closed.`, after(RELOAD_AFTER));
    if (running) return running;
    if (failure && clock() < failure.retryAt) throw failure;
    return start();
  };

  const loaded = async (): Promise<About> => {
    const model = current();
    if (model.about !== null) return model.about;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      if (patience === Number.POSITIVE_INFINITY) return;
      const expire = () =>
        reject(new ModelUnavailable(describe(title, model), after(RETRY_LOADING_AFTER)));
      timer = setTimeout(expire, patience);
    });
    try {
      return await waitFor(model, Promise.race([model.loaded, timeout]));
    } catch (error) {
      throw failure ?? error;
    } finally {
      clearTimeout(timer);
    }
  };

  start();
  return {
    get about() {
      return running?.about ?? null;
    },
    trouble() {
      try {
        const model = current();
        if (model.about !== null) return null;
        return { reason: 'MODEL_LOADING', message: describe(title, model) };
      } catch (error) {
        return { reason: 'MODEL_FAILED', message: (error as Error).message };
      }
    },
    loaded,
    async run(input, signal) {
      await loaded();
      signal?.throwIfAborted();
      const model = current();
      const id = ++lastId;
      const cancel = () => void model.rpc.cancel.asEvent(id);
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await waitFor(model, model.rpc.run(id, input));
      } catch (error) {
        signal?.throwIfAborted();
        throw running === model ? error : (failure ?? error);
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await running?.worker.terminate();
    },
  };
}

/** Starts the thread. @param onEnd called with the reason when the thread cannot be used any more, possibly twice */
function startModel<Input, Output, About>(
  { module, workerData, title, advice, notice }: ModelThreadOptions,
  onEnd: (reason: string) => void,
): Running<Input, Output, About> {
  const started = performance.now();
  const worker = startWorkerFile(module, { workerData, execArgv: [] });
  worker.unref();
  let resolve: (about: About) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const loaded = new Promise<About>((...settle) => {
    [resolve, reject] = settle;
  });
  // Prevents an unhandled rejection when nobody waits for the promise.
  loaded.catch(() => undefined);
  const end = (reason: string) => {
    onEnd(reason);
    const error = new Error(`${title} ${reason}`);
    reject(error);
    rpc.$close(error);
    void worker.terminate();
  };
  const log = reportNowAndThen((progress) => {
    const what = { model: title, progress: describeProgress(progress) };
    notice('info', what, 'model.fetching');
  }, LOG_EVERY);
  const rpc = createBirpc<ModelFunctions<Input, Output>, ModelEvents<About>>(
    {
      loaded: (about) => {
        running.about = about;
        const seconds = Math.round((performance.now() - started) / 100) / 10;
        notice('info', { model: title, seconds }, 'model.loaded');
        resolve(about);
      },
      failed: (reason) => end(`cannot be loaded: ${reason.replace(/\.?$/, '.')} ${advice}`),
      fetched: (progress) => {
        running.progress = progress;
        log(progress);
      },
    },
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      eventNames: ['cancel'],
      timeout: -1,
    },
  );
  const running: Running<Input, Output, About> = {
    worker,
    rpc,
    loaded,
    about: null,
    progress: null,
  };
  worker.on('error', (error) => end(`stopped: ${error.message}`));
  worker.on('exit', (code) =>
    end(`stopped with code ${code} and will be loaded again in a minute.`),
  );
  return running;
}

const describe = (title: string, { progress }: { progress: Progress | null }): string =>
  progress === null
    ? `${title} is being loaded.`
    : `${title} is being downloaded: ${describeProgress(progress)}.`;
