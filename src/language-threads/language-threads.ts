import type { Embedder } from '../embedder/core/embedder.ts';
import { MINUTE } from '../shared/duration.ts';
import { createLanguageThread, type LanguageThread } from './language-thread.ts';

/** The threads in which rules run: one for requests, two for background steps. */
export type LanguageThreads = AsyncDisposable & {
  requests: LanguageThread;
  /** For the functions that read facts: they are quick and should not wait behind the others. */
  facts: LanguageThread;
  steps: LanguageThread;
  /** How long a request waits for its thread, in milliseconds, before it goes on without the result. */
  requestWithin: number;
  /** The same for a question that may name a time, also while the thread starts. */
  datedWithin: number;
  /** Starts the thread for requests and waits until it is ready. */
  warm(): Promise<void>;
};

/**
 * How low the priority of the background threads is, relative to the process. Facts are wanted within two seconds, also behind
 * another user's long texts while both cores are busy.
 */
const NICENESS = { facts: 5, steps: 10 };
/** See `coldTime` and `warmTime`. Only the thread for requests reads sample texts. */
const COLD_TIME = { request: 3_000, background: 5_000 };
const WARM_TIME = 1_000;
/**
 * How long a background thread stays without work. Its rules take 35-60 MB; to load them takes half a second of processor time, and
 * longer at a low priority on a busy machine. Most pauses of a conversation are shorter than this.
 */
const BACKGROUND_ENDS_AFTER = 2 * MINUTE;
/**
 * The same of the thread for requests, which takes 48 MB. A request after such a pause waits a third of a second longer, so that it is
 * to be one in which nobody talks.
 */
const REQUESTS_END_AFTER = 5 * MINUTE;
/** Far longer than any text takes, so that it suffices on a busy machine, too. */
const REQUEST_WITHIN = 1_000;
/**
 * Without its period, a question would be answered from other days: that is worse than late. To read it in the main thread instead
 * would stop everything for 0.2 s of processor time when the first dates are read, and take 10 MB.
 */
const DATED_WITHIN = 10_000;

/** @param embedderOf the embedder of the background threads, called when they start; null = they compare by words */
export function createLanguageThreads(
  embedderOf: () => Embedder | null,
  {
    requestWithin = REQUEST_WITHIN,
    datedWithin = DATED_WITHIN,
  }: { requestWithin?: number; datedWithin?: number } = {},
): LanguageThreads {
  const requests = createLanguageThread({
    embedderOf: () => null,
    niceness: 0,
    readsSamples: true,
    coldTime: COLD_TIME.request,
    warmTime: WARM_TIME,
    endsAfter: REQUESTS_END_AFTER,
  });
  const background = {
    embedderOf,
    niceness: NICENESS.steps,
    readsSamples: false,
    coldTime: COLD_TIME.background,
    endsAfter: BACKGROUND_ENDS_AFTER,
  };
  const facts = createLanguageThread({ ...background, niceness: NICENESS.facts, niceAfter: 10 });
  const steps = createLanguageThread(background);
  return {
    requests,
    facts,
    steps,
    requestWithin,
    datedWithin,
    warm: () => requests.warm(),
    async [Symbol.asyncDispose]() {
      await Promise.all([requests, facts, steps].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
