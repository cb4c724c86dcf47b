import type { Embedder } from '../embedder/core/embedder.ts';
import { createLanguageThread, type LanguageThread } from './language-thread.ts';

/** The threads in which rules run: one for requests, two for background steps. */
export type LanguageThreads = AsyncDisposable & {
  requests: LanguageThread;
  /** Steps that only learn facts: they are soon done. */
  facts: LanguageThread;
  steps: LanguageThread;
  /** How long a request waits for them, in milliseconds. */
  requestWithin: number;
  /** Starts what requests need, and waits for it. */
  warm(): Promise<void>;
};

const NICENESS = 10;
/** See `coldTime`: one has read some texts before it is ready, the others only have their rules loaded. */
const COLD_TIME = { request: 1_000, background: 5_000 };
/** Much longer than any text takes, for a busy machine. */
const REQUEST_WITHIN = 1_000;

/** @param embedderOf vectors for the steps, asked for when their threads start; null = they compare by words */
export function createLanguageThreads(
  embedderOf: () => Embedder | null,
  {
    requestWithin = REQUEST_WITHIN,
    ...options
  }: { requestWithin?: number; vectorsWithin?: number } = {},
): LanguageThreads {
  const requests = createLanguageThread({
    embedderOf: () => null,
    niceness: 0,
    isWarm: true,
    coldTime: COLD_TIME.request,
  });
  const background = {
    embedderOf,
    niceness: NICENESS,
    isWarm: false,
    coldTime: COLD_TIME.background,
    ...options,
  };
  const facts = createLanguageThread(background);
  const steps = createLanguageThread(background);
  return {
    requests,
    facts,
    steps,
    requestWithin,
    warm: () => requests.warm(),
    async [Symbol.asyncDispose]() {
      await Promise.all([requests, facts, steps].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
