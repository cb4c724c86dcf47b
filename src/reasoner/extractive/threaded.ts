import { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Embedder } from '../../embedder/embedder.ts';
import type { Call, Reasoner } from '../reasoner.ts';
import { createLine } from './line.ts';
import { isWithoutVectors } from './meaning.ts';
import { EXTRACTIVE } from './name.ts';
import { resultOf } from './outcome.ts';
import type { Method, ServerFunctions, ThreadData, ThreadFunctions } from './serve.ts';

/** After so many milliseconds a step is taken to hang: its thread is stopped, and the step fails. */
const LONGEST_STEP = 120_000;
/** The share of that for which a step waits for vectors before it compares by words. */
const WAIT = 0.5;

type Rpc = BirpcReturn<ThreadFunctions, ServerFunctions>;
type Thread = { worker: Worker; rpc: Rpc; isLost: boolean };

/** The server's vectors for the thread; null when they cannot be had, or not soon. */
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

function startThread(embedder: Embedder | null, longestStep: number): Thread {
  const workerData: ThreadData = { profile: embedder?.profile ?? null };
  const worker = new Worker(new URL('./extractive-worker.mjs', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
  });
  const rpc: Rpc = createBirpc<ThreadFunctions, ServerFunctions>(
    {
      embed: (texts, userId) =>
        vectorsOf(embedder, texts, userId, AbortSignal.timeout(WAIT * longestStep)),
    },
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      timeout: longestStep,
      onTimeoutError: () => {
        thread.isLost = true;
        void worker.terminate();
        throw new Error(`The step took longer than ${longestStep / 1000} s and was stopped.`);
      },
    },
  );
  const thread: Thread = { worker, rpc, isLost: false };
  const lost = (cause?: unknown) => {
    thread.isLost = true;
    rpc.$close(new Error('The reasoning thread stopped; the next step starts another.', { cause }));
  };
  worker.on('error', lost);
  worker.on('exit', lost);
  return thread;
}

/**
 * The built-in reasoner in a thread of its own, since reading text takes milliseconds a sentence. One
 * step runs at a time; the others wait, unless their signal is aborted. The thread starts with the
 * first step, and anew after it was lost; vectors come from the server's embedder.
 */
export function createThreadedReasoner(
  embedder: Embedder | null,
  longestStep: number = LONGEST_STEP,
): Reasoner & AsyncDisposable {
  const inLine = createLine();
  let running: Thread | null = null;
  let closed = false;

  const run = async (name: Method, input: unknown, userId: string) => {
    if (closed) throw new Error('The reasoner is closed.');
    if (running === null || running.isLost) running = startThread(embedder, longestStep);
    const { worker, rpc } = running;
    // It keeps the process alive only while somebody waits for it.
    worker.ref();
    try {
      return resultOf(await rpc.run(name, input, userId));
    } finally {
      worker.unref();
    }
  };
  const method =
    (name: Method) =>
    (input: unknown, { userId, signal }: Call) =>
      inLine(() => run(name, input, userId), signal) as Promise<never>;

  return {
    generatedBy: 'EXTRACTIVE',
    modelOf: () => EXTRACTIVE,
    describeSegment: method('describeSegment'),
    findBoundaries: method('findBoundaries'),
    judgeSurprise: method('judgeSurprise'),
    assessRelatedness: method('assessRelatedness'),
    extractFacts: method('extractFacts'),
    isSameFact: method('isSameFact'),
    compact: method('compact'),
    summarizeEpisodes: method('summarizeEpisodes'),
    synthesizeProfile: method('synthesizeProfile'),
    rateRetrieved: method('rateRetrieved'),
    detectRecallIntent: method('detectRecallIntent'),
    async [Symbol.asyncDispose]() {
      closed = true;
      await running?.worker.terminate();
    },
  };
}
