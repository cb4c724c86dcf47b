import { setImmediate } from 'node:timers/promises';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Embedder } from '../embedder/core/embedder.ts';
import { isWithoutVectors } from '../reasoner/extractive/text/semantic-similarity.ts';
import { startWorkerFile } from '../worker-file.ts';
import type { Meanwhile } from './fair-line.ts';
import { processorTime } from './processor-time.ts';
import type { Samples, ServerFunctions, ThreadData, ThreadFunctions } from './serve.ts';
import { fullSpare, TaskStopped, type Watched } from './time-limit.ts';

export type ThreadOptions = Omit<ThreadData, 'profile' | 'samples'> & {
  /** Whether it reads sample texts: when it is told to at its first start, so that a server is ready sooner, and beforehand when it starts again. */
  readsSamples: boolean;
  /** Called when the thread starts. Null = the thread compares texts by words. */
  embedderOf: () => Embedder | null;
  /** Extra processor time for a new thread, in milliseconds: its first texts take longer. */
  coldTime: number;
  /** The same from when it has read its sample texts, which need only a part of the expressions. */
  warmTime?: number;
};

/** A task that exceeds this is stopped, so that it cannot exhaust the server's memory. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
const VECTORS_WITHIN = 60_000;

type Rpc = BirpcReturn<ThreadFunctions, ServerFunctions>;
/** A thread that runs the language rules, until it ends or is stopped. */
export type Thread = Watched & {
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

/** Starts a thread. @param isFirst see `readsSamples` */
export function startThread(options: ThreadOptions, isFirst: boolean): Thread {
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
