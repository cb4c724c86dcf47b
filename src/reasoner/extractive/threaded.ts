import { Worker } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { Embedder } from '../../embedder/embedder.ts';
import type { Reasoner } from '../reasoner.ts';
import { EXTRACTIVE } from './name.ts';
import { outcomeOf, resultOf } from './outcome.ts';
import type { Method, ServerFunctions, ThreadData, ThreadFunctions } from './serve.ts';

/** After so many milliseconds a step is taken to hang: its thread is stopped, and the step fails. */
const LONGEST_STEP = 120_000;

/**
 * The built-in reasoner in a thread of its own, since reading text takes milliseconds a sentence. The
 * thread starts with the first step and starts again after a crash; vectors come from the server's embedder.
 */
export function createThreadedReasoner(embedder: Embedder | null): Reasoner & AsyncDisposable {
  type Rpc = BirpcReturn<ThreadFunctions, ServerFunctions>;
  let running: { worker: Worker; rpc: Rpc } | null = null;
  let waiting = 0;

  const start = () => {
    const workerData: ThreadData = { profile: embedder?.profile ?? null };
    const worker = new Worker(new URL('./extractive-worker.mjs', import.meta.url), { workerData });
    const rpc: Rpc = createBirpc<ThreadFunctions, ServerFunctions>(
      {
        embed: (texts, { userId }) =>
          embedder
            ? outcomeOf(embedder.embed(texts, { priority: 'batch', userId: userId ?? null }))
            : Promise.resolve({ is: 'failed', message: 'There is no embedder.' }),
      },
      {
        post: (message) => worker.postMessage(message),
        on: (listener) => worker.on('message', listener),
        timeout: LONGEST_STEP,
        onTimeoutError: () => void worker.terminate(),
      },
    );
    const lost = (cause?: unknown) => {
      if (running?.worker === worker) running = null;
      rpc.$close(
        new Error('The reasoning thread stopped; the next step starts another.', { cause }),
      );
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    return { worker, rpc };
  };

  const method =
    <M extends Method>(name: M) =>
    async (input: unknown, { userId, signal }: { userId: string; signal?: AbortSignal }) => {
      signal?.throwIfAborted();
      running ??= start();
      const { worker, rpc } = running;
      // It keeps the process alive only while somebody waits for it.
      waiting += 1;
      worker.ref();
      try {
        return resultOf(await rpc.run(name, input, userId)) as never;
      } finally {
        waiting -= 1;
        if (waiting === 0) worker.unref();
      }
    };

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
      const { worker } = running ?? {};
      running = null;
      await worker?.terminate();
    },
  };
}
