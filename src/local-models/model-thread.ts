import type { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import { ModelUnavailable } from '../domain/core/errors.ts';
import type { LoadingModel } from '../domain/core/loading-model.ts';
import { startWorkerFile } from '../worker-file.ts';
import { describeProgress, type Progress, tellNowAndThen } from './progress.ts';
import type { ModelEvents, ModelFunctions } from './serve-model.ts';

/** Told to the log. */
export type ModelNotice = (
  level: 'info' | 'error',
  what: { model: string; seconds?: number; progress?: string; reason?: string },
  event: 'model.fetching' | 'model.loaded' | 'model.failed',
) => void;

export type ModelThreadOptions = {
  /** The thread's module, without its extension. */
  file: URL;
  /** What it loads. */
  workerData: unknown;
  /** As in "The embedding model all-MiniLM-L6-v2". */
  title: string;
  /** What to do when it cannot be loaded. */
  advice: string;
  notice: ModelNotice;
  clock: () => Date;
  /** How long a call waits for the model to be loaded, in milliseconds. */
  patience?: number;
};

/** A model in a thread of its own, which is loaded at once. */
export type ModelThread<Input, Output, About> = LoadingModel &
  AsyncDisposable & {
    /** What was learned of it as it was loaded; null before. */
    readonly about: About | null;
    /** @throws ModelUnavailable while it is not loaded, after some patience */
    loaded(): Promise<About>;
    /**
     * @throws ModelUnavailable while it is not loaded
     * @throws what the thread threw
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
/** When to look whether a model is loaded, and when to load it again that failed; in milliseconds. */
const SOON = 5_000;
const LATER = 60_000;
const LOG_EVERY = 5_000;

export function createModelThread<Input, Output, About>({
  patience = PATIENCE,
  ...options
}: ModelThreadOptions): ModelThread<Input, Output, About> {
  const { title, clock } = options;
  let running: Running<Input, Output, About> | null = null;
  let failure: ModelUnavailable | null = null;
  let closed = false;
  let lastId = 0;
  const inTime = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  /** The thread keeps the process alive only while somebody waits for it. */
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
      failure = new ModelUnavailable(`${title} ${reason}`, inTime(LATER));
      options.notice('error', { model: title, reason }, 'model.failed');
    });
    running = started;
    failure = null;
    return started;
  };

  const current = () => {
    if (closed) throw new ModelUnavailable(`${title} is closed.`, inTime(LATER));
    if (running) return running;
    if (failure && clock() < failure.retryAt) throw failure;
    return start();
  };

  const loaded = async (): Promise<About> => {
    const model = current();
    if (model.about !== null) return model.about;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      if (patience === Number.POSITIVE_INFINITY) return;
      const tooLate = () => reject(new ModelUnavailable(describe(title, model), inTime(SOON)));
      timer = setTimeout(tooLate, patience);
    });
    try {
      return await waitFor(model, Promise.race([model.loaded, late]));
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

/** Starts the thread. @param lost told once why it cannot be used any more */
function startModel<Input, Output, About>(
  { file, workerData, title, advice, notice }: ModelThreadOptions,
  lost: (reason: string) => void,
): Running<Input, Output, About> {
  const started = performance.now();
  const worker = startWorkerFile(file, { workerData, execArgv: [] });
  worker.unref();
  let resolve: (about: About) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const loaded = new Promise<About>((...settle) => {
    [resolve, reject] = settle;
  });
  // Whoever waits for it learns of it.
  loaded.catch(() => undefined);
  const end = (reason: string) => {
    lost(reason);
    const error = new Error(`${title} ${reason}`);
    reject(error);
    rpc.$close(error);
    void worker.terminate();
  };
  const log = tellNowAndThen((progress) => {
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
  worker.on('exit', (code) => end(`stopped with code ${code} and is loaded anew in a minute.`));
  return running;
}

const describe = (title: string, { progress }: { progress: Progress | null }): string =>
  progress === null
    ? `${title} is being loaded.`
    : `${title} is being fetched: ${describeProgress(progress)}.`;
