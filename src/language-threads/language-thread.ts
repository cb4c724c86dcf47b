import { createFairLine, type Meanwhile, type PlaceInLine } from './fair-line.ts';
import { resultOf } from './outcome.ts';
import { processorTime } from './processor-time.ts';
import type { Method } from './serve.ts';
import { startThread, type Thread, type ThreadOptions } from './start-thread.ts';
import { TaskStopped, type TimeLimit, watchTime } from './time-limit.ts';

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

/** How often a task begins again because another one stopped the thread. */
const INTERRUPTIONS = 3;

/** The thread was stopped for another task, or ended while the task waited for vectors. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export type LanguageThreadOptions = ThreadOptions & {
  /** After how long without a task the thread ends, in milliseconds, so that its memory is free. Never, if omitted. */
  endsAfter?: number;
};

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
