import { type BirpcReturn, createBirpc } from 'birpc';
import type { Embedder } from '../embedder/core/embedder.ts';
import { isWithoutVectors } from '../reasoner/extractive/text/semantic-similarity.ts';
import { startWorkerFile } from '../worker-file.ts';
import { createFairLine, type PlaceInLine } from './fair-line.ts';
import { resultOf } from './outcome.ts';
import { processorTime } from './processor-time.ts';
import type { Method, Samples, ServerFunctions, ThreadData, ThreadFunctions } from './serve.ts';
import { fullSpare, TaskStopped, type TimeLimit, type Watched, watchTime } from './time-limit.ts';

/** The user for whom a task runs, and its limits. */
export type Task = PlaceInLine & {
  limit: TimeLimit;
  /** Whether to give up while the thread starts in place of a lost one, instead of waiting for it. */
  isUrgent?: boolean;
};

/** A thread that runs the language rules. It starts with its first task, and again after it has ended. */
export type LanguageThread = AsyncDisposable & {
  /**
   * Runs a function in the thread when it is the user's turn.
   * @throws TaskStopped when the task exceeds its limits, or is urgent and the thread starts in place of a lost one
   */
  run(method: Method, input: unknown, task: Task): Promise<unknown>;
  /** Starts the thread and waits until it has loaded its rules. */
  warm(): Promise<void>;
  /** Has the thread read sample texts, so that its first tasks are quick. */
  readSamples(): Promise<void>;
  /**
   * Whether a task may be sent now. Also true before the first start, and when it has ended without work: tasks wait for its start.
   * False while it starts in place of a lost one.
   */
  isReady(): boolean;
  /** Whether it has started: otherwise the next task waits until it has loaded its rules. */
  isRunning(): boolean;
};

export type LanguageThreadOptions = Omit<ThreadData, 'profile' | 'samples'> & {
  /**
   * Whether it reads sample texts: at its first start when it is told to, so that a server is ready sooner; after a rest when its
   * first task is done; before it is ready in place of a lost thread.
   */
  readsSamples: boolean;
  /** Called when the thread starts. Null = the thread compares texts by words. */
  embedderOf: () => Embedder | null;
  /** Extra processor time for a new thread, in milliseconds: its first texts take longer. */
  coldTime: number;
  /** The same from when it has read its sample texts, which need only a part of the expressions. */
  warmTime?: number;
  /** After how long without a task the thread ends, in milliseconds, so that its memory is free. Never, if omitted. */
  endsAfter?: number;
};

/** A task that exceeds this is stopped, so that it cannot exhaust the server's memory. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
const VECTORS_WITHIN = 60_000;

type Rpc = BirpcReturn<ThreadFunctions, ServerFunctions>;
type Thread = Watched & {
  rpc: Rpc;
  ready: Promise<void>;
  isReady: boolean;
  /** Whether it has started in place of a lost thread. */
  isReplacement: boolean;
  /** Whether it has sample texts to read. */
  samplesLeft: boolean;
};

/** Embeds texts for the thread. Null if the embedder is unavailable or does not answer in time. */
async function vectorsOf(
  embedder: Embedder | null,
  texts: readonly string[],
  userId: string | null,
  signal: AbortSignal,
): Promise<Float32Array[] | null> {
  if (embedder === null) return null;
  try {
    return await embedder.embed(texts, { priority: 'batch', as: 'document', userId, signal });
  } catch (error) {
    if (signal.aborted || isWithoutVectors(error)) return null;
    throw error;
  }
}

function startThread(options: LanguageThreadOptions, isReplacement: boolean): Thread {
  const { embedderOf, coldTime, warmTime = 0, niceness, niceAfter = 0 } = options;
  const embedder = embedderOf();
  const inTime: Samples = isReplacement ? 'beforehand' : 'later';
  const samples: Samples = options.readsSamples ? inTime : 'never';
  const profile = embedder?.profile ?? null;
  const workerData: ThreadData = { profile, niceness, niceAfter, samples };
  const worker = startWorkerFile('language-threads/serve', {
    workerData,
    resourceLimits: MEMORY,
  });
  let resolve = () => {};
  let reject: (error: Error) => void = () => {};
  const ready = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  // The tasks that wait for the thread handle the error.
  ready.catch(() => undefined);
  const rpc: Rpc = createBirpc<ThreadFunctions, ServerFunctions>(
    {
      embed: (texts, userId) =>
        vectorsOf(embedder, texts, userId, AbortSignal.timeout(VECTORS_WITHIN)),
      ready: (threadId) => {
        const extra = samples === 'beforehand' ? warmTime : coldTime;
        const coldUntil = processorTime(worker, threadId) + extra;
        Object.assign(thread, { threadId, coldUntil, isReady: true });
        resolve();
      },
    },
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      timeout: -1,
    },
  );
  const thread: Thread = {
    worker,
    rpc,
    ready,
    isReady: false,
    isReplacement,
    samplesLeft: samples === 'later',
    isLost: false,
    threadId: null,
    coldUntil: 0,
    spare: fullSpare(),
  };
  const lost = (cause?: unknown) => {
    thread.isLost = true;
    const { code } = (cause ?? {}) as { code?: string };
    const error =
      code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new TaskStopped('The rules took too much memory and were stopped.')
        : new Error('The language thread stopped; the next task starts another.', { cause });
    reject(error);
    rpc.$close(error);
  };
  worker.on('error', lost);
  worker.on('exit', lost);
  return thread;
}

export function createLanguageThread(options: LanguageThreadOptions): LanguageThread {
  const inLine = createFairLine();
  let running: Thread | null = null;
  let closed = false;
  let tasks = 0;
  let rest: NodeJS.Timeout | undefined;
  let hasRested = false;

  const end = async () => {
    clearTimeout(rest);
    const thread = running;
    running = null;
    await thread?.worker.terminate();
  };
  /** A timer that a test has set before it took over the clock cannot be cleared, and must not end a task. */
  const endAtRest = async () => {
    if (tasks > 0) return;
    hasRested = true;
    await end();
  };
  const current = (): Thread => {
    if (closed) throw new Error('The language threads are closed.');
    if (running === null || running.isLost) {
      running = startThread(options, running !== null);
    }
    return running;
  };
  const isReady = () => {
    if (closed || running?.isLost) return false;
    return running === null || running.isReady || !running.isReplacement;
  };
  /** The thread keeps the process alive only while a task waits for it. */
  const withThread = async <T>(work: (thread: Thread) => Promise<T>): Promise<T> => {
    const thread = current();
    thread.worker.ref();
    clearTimeout(rest);
    tasks += 1;
    try {
      await thread.ready;
      return await work(thread);
    } finally {
      tasks -= 1;
      if (tasks === 0) {
        thread.worker.unref();
        const { endsAfter } = options;
        if (endsAfter && !closed) rest = setTimeout(endAtRest, endsAfter).unref();
      }
    }
  };
  const readSamples = () =>
    withThread(async (thread) => {
      if (!thread.samplesLeft) return;
      thread.samplesLeft = false;
      await thread.rpc.readSamples();
      const { worker, threadId } = thread;
      thread.coldUntil = processorTime(worker, threadId) + (options.warmTime ?? 0);
    });
  const run = async (method: Method, input: unknown, task: Task): Promise<unknown> => {
    const { userId, limit, isUrgent = false } = task;
    if (isUrgent && !isReady()) throw new TaskStopped('The rules are starting again.');
    return withThread(async (thread) => {
      const watch = watchTime(thread, limit);
      try {
        return resultOf(await Promise.race([thread.rpc.run(method, input, userId), watch.over]));
      } finally {
        watch.stop();
        // The next task starts another thread if this one is lost.
        if (hasRested && thread.samplesLeft) readSamples().catch(() => undefined);
      }
    });
  };

  return {
    run: (method, input, task) => inLine(task, () => run(method, input, task)),
    warm: () => withThread(async () => {}),
    readSamples,
    isReady,
    isRunning: () => running?.isReady === true && !running.isLost,
    async [Symbol.asyncDispose]() {
      closed = true;
      await end();
    },
  };
}
