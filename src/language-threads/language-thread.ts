import type { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Embedder } from '../embedder/core/embedder.ts';
import { isWithoutVectors } from '../reasoner/extractive/text/semantic-similarity.ts';
import { startWorkerFile } from '../worker-file.ts';
import { createFairLine, type PlaceInLine } from './fair-line.ts';
import { resultOf } from './outcome.ts';
import { processorTime } from './processor-time.ts';
import type { Method, Samples, ServerFunctions, ThreadData, ThreadFunctions } from './serve.ts';

/** How long a task may take, in milliseconds: processor time (`computing`) and elapsed time (`inAll`). */
export type TimeLimit = { computing: number; inAll: number };

/** The user for whom a task runs, and its limits. */
export type Task = PlaceInLine & {
  limit: TimeLimit;
  /** Whether to give up when the thread is starting again, instead of waiting for it. */
  isUrgent?: boolean;
};

/** A task exceeded its limit of time or memory, and its thread was terminated. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';
}

/** A thread that runs the language rules. It starts with its first task, and again after it ended. */
export type LanguageThread = AsyncDisposable & {
  /**
   * Runs a function in the thread when it is the user's turn.
   * @throws TaskStopped when the task exceeds its limits, or is urgent and the thread is starting again
   */
  run(method: Method, input: unknown, task: Task): Promise<unknown>;
  /** Starts the thread and waits until it has loaded its rules. */
  warm(): Promise<void>;
  /** Has the thread read sample texts, so that its first tasks are quick. */
  readSamples(): Promise<void>;
  /** Whether a task may be sent now. Also true before the first start: the first task waits for it. False during a restart. */
  isReady(): boolean;
};

export type LanguageThreadOptions = Omit<ThreadData, 'profile' | 'samples'> & {
  /** Whether it reads sample texts: when it is told to at its first start, so that a server is ready sooner, and beforehand when it starts again. */
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
/**
 * Extra processor time for tasks beyond their limits, in milliseconds, since some must first compile expressions that no text
 * has needed lately. Tasks use it up; a share of the time that passes comes back.
 */
const SPARE = { most: 250, share: 0.02 };

type Rpc = BirpcReturn<ThreadFunctions, ServerFunctions>;
type Thread = {
  worker: Worker;
  rpc: Rpc;
  ready: Promise<void>;
  isReady: boolean;
  isLost: boolean;
  threadId: number | null;
  /** The processor time, in milliseconds, at which the thread's extra time (`coldTime`) is used up. */
  coldUntil: number;
  /** The extra time that was left at a moment, see `SPARE`. */
  spare: { left: number; at: number };
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

function startThread(options: LanguageThreadOptions, isFirst: boolean): Thread {
  const { embedderOf, coldTime, warmTime = 0, niceness, niceAfter = 0 } = options;
  const embedder = embedderOf();
  const inTime: Samples = isFirst ? 'later' : 'beforehand';
  const samples: Samples = options.readsSamples ? inTime : 'never';
  const profile = embedder?.profile ?? null;
  const workerData: ThreadData = { profile, niceness, niceAfter, samples };
  const worker = startWorkerFile(new URL('./serve', import.meta.url), {
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
    isLost: false,
    threadId: null,
    coldUntil: 0,
    spare: { left: SPARE.most, at: performance.now() },
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

/** Terminates the thread if its task exceeds its limits. `over` rejects then. */
function watchTime(thread: Thread, { computing, inAll }: TimeLimit) {
  const { worker, threadId, coldUntil } = thread;
  const from = processorTime(worker, threadId);
  const spare = spareOf(thread);
  const most = computing + Math.max(spare, coldUntil - from);
  const until = performance.now() + inAll;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const stop = (limit: number) => {
      thread.isLost = true;
      void worker.terminate();
      reject(new TaskStopped(`The rules took longer than ${limit} ms and were stopped.`));
    };
    const look = () => {
      const left = most - (processorTime(worker, threadId) - from);
      const rest = until - performance.now();
      if (left <= 0) stop(computing);
      else if (rest <= 0) stop(inAll);
      else timer = setTimeout(look, Math.max(1, Math.min(left, rest)));
    };
    timer = setTimeout(look, Math.min(computing, inAll));
  });
  return {
    over,
    stop: () => {
      clearTimeout(timer);
      const beyond = Math.max(0, processorTime(worker, threadId) - from - computing);
      thread.spare = { left: Math.max(0, spare - beyond), at: performance.now() };
    },
  };
}

/** The extra time that a task of this thread may use now. */
function spareOf({ spare: { left, at } }: Thread): number {
  return Math.min(SPARE.most, left + (performance.now() - at) * SPARE.share);
}

export function createLanguageThread(options: LanguageThreadOptions): LanguageThread {
  const inLine = createFairLine();
  let running: Thread | null = null;
  let closed = false;
  let tasks = 0;
  let rest: NodeJS.Timeout | undefined;

  const end = async () => {
    const thread = running;
    running = null;
    await thread?.worker.terminate();
  };
  const current = (): Thread => {
    if (closed) throw new Error('The language threads are closed.');
    if (running === null || running.isLost) {
      running = startThread(options, running === null);
    }
    return running;
  };
  const isReady = () => running === null || (running.isReady && !running.isLost);
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
      thread.worker.unref();
      tasks -= 1;
      if (tasks === 0 && options.endsAfter) rest = setTimeout(end, options.endsAfter).unref();
    }
  };
  const run = async (method: Method, input: unknown, task: Task): Promise<unknown> => {
    const { userId, limit, isUrgent = false } = task;
    if (isUrgent && !isReady()) throw new TaskStopped('The rules are starting again.');
    return withThread(async (thread) => {
      const watch = watchTime(thread, limit);
      try {
        return resultOf(await Promise.race([thread.rpc.run(method, input, userId), watch.over]));
      } finally {
        watch.stop();
      }
    });
  };

  return {
    run: (method, input, task) => inLine(task, () => run(method, input, task)),
    warm: () => withThread(async () => {}),
    readSamples: () =>
      withThread(async (thread) => {
        await thread.rpc.readSamples();
        const { worker, threadId } = thread;
        thread.coldUntil = processorTime(worker, threadId) + (options.warmTime ?? 0);
      }),
    isReady,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(rest);
      await end();
    },
  };
}
