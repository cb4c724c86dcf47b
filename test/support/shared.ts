import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { createIndexer } from '../../src/indexer/indexer.ts';
import { createLanguageThreads } from '../../src/language-threads/language-threads.ts';

/**
 * Creates an object once, for all worlds of a test process: its threads take one to two seconds to start and keep no state
 * between requests. Every world gets a copy of the object, which it may change.
 */
const once = <T extends object>(create: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= create();
    return { ...made };
  };
};

export const sharedIndexer = once(createIndexer);
export const sharedEmbedder = once(() => createBuiltInEmbedder());
/** Lets requests wait for the rules even on a busy machine. */
const PATIENT = { requestWithin: 30_000, datedWithin: 30_000 };
const withVectors = once(() => createLanguageThreads(sharedEmbedder, PATIENT));
const withoutVectors = once(() => createLanguageThreads(() => null, PATIENT));

/** Returns the threads for the rules, with the shared embedder or without one. */
export function sharedThreads(hasVectors: boolean) {
  const { requests, warm } = withoutVectors();
  const { steps, ...threads } = hasVectors ? withVectors() : withoutVectors();
  // A thread takes seconds to start: one serves both kinds of steps, and one serves all requests.
  return { ...threads, steps, facts: steps, requests, warm };
}
