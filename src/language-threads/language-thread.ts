import { setImmediate } from 'node:timers/promises';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Embedder } from '../embedder/core/embedder.ts';
import { isWithoutVectors } from '../reasoner/extractive/text/semantic-similarity.ts';
import { startWorkerFile } from '../worker-file.ts';
import { createFairLine, type Meanwhile, type PlaceInLine } from './fair-line.ts';
import { resultOf } from './outcome.ts';
import { processorTime } from './processor-time.ts';
import type { Method, Samples, ServerFunctions, ThreadData, ThreadFunctions } from './serve.ts';
import { fullSpare, TaskStopped, type TimeLimit, type Watched, watchTime } from './time-limit.ts';

/** The user for whom a task runs, and its limits. */
export type Task = PlaceInLine & {
  limit: TimeLimit;
  /** Whether to give up when the thread is starting again, instead of waiting for it. */
  isUrgent?: boolean;
};

/** A thread that runs the language rules. It starts with its first task, and again after it has ended. */
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
  /**
   * Whether a task may be sent now. Also true before the first start, and when it has ended without work: the next task waits for its
   * start. False during a restart.
   */
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

/** How often a task begins again because another one stopped the thread. */
const INTERRUPTIONS = 3;

/** The thread was stopped for another task, or ended while the task waited for vectors. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

type Rpc = BirpcReturn<ThreadFunctions, ServerFunctions>;
type Thread = Watched & {
  rpc: Rpc;
  ready: Promise<void>;
  isReady: boolean;
  /** How the tasks that it has begun wait for vectors, by their numbers. */
  waits: Map<number, Meanwhile>;
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
      embed: async (texts, userId, task) => {
        const vectors = vectorsOf(embedder, texts, userId, AbortSignal.timeout(VECTORS_WITHIN));
        // Those of texts that are cached are there at once.
        const isThere = await Promise.race([vectors.then(() => true), setImmediate(false)]);
        const meanwhile = isThere ? undefined : thread.waits.get(task ?? 0);
        return meanwhile ? meanwhile(() => vectors) : vectors;
      },
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
    stoppedFor: null,
    threadId: null,
    coldUntil: 0,
    spare: fullSpare(),
    waits: new Map(),
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
  let lastTask = 0;
  let rest: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(rest);
    const thread = running;
    running = null;
    await thread?.worker.terminate();
  };
  /** A timer that a test has set before it took over the clock cannot be cleared, and must not end a task. */
  const endAtRest = () => (tasks === 0 ? end() : undefined);
  const current = (): Thread => {
    if (closed) throw new Error('The language threads are closed.');
    if (running === null || running.isLost) {
      running = startThread(options, running === null);
    }
    return running;
  };
  const isReady = () => !closed && (running === null || (running.isReady && !running.isLost));
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
  const run = async (
    method: Method,
    input: unknown,
    task: Task,
    leaveLine: Meanwhile,
  ): Promise<unknown> => {
    const { userId, limit, isUrgent = false } = task;
    if (isUrgent && !isReady()) throw new TaskStopped('The rules are starting again.');
    return withThread(async (thread) => {
      const number = ++lastTask;
      const watch = watchTime(thread, number, limit);
      let waits = 0;
      thread.waits.set(number, async (work) => {
        waits += 1;
        watch.pause();
        try {
          return await leaveLine(work);
        } finally {
          waits -= 1;
          watch.resume();
        }
      });
      const outcome = thread.rpc.run(method, input, userId, number).catch((cause) => {
        const isBlameless = thread.stoppedFor === null ? waits > 0 : thread.stoppedFor !== number;
        throw isBlameless ? new Interrupted('', { cause }) : cause;
      });
      try {
        return resultOf(await Promise.race([outcome, watch.over]));
      } finally {
        watch.stop();
        thread.waits.delete(number);
      }
    });
  };

  const runInLine: LanguageThread['run'] = async (method, input, task) => {
    for (let left = INTERRUPTIONS; ; left -= 1) {
      try {
        return await inLine(task, (leaveLine) => run(method, input, task, leaveLine));
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        if (left === 0) throw error.cause;
      }
    }
  };

  return {
    run: runInLine,
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
      await end();
    },
  };
}
