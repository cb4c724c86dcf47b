import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { createIndexer } from '../../src/indexer/indexer.ts';
import { createLanguageThreads } from '../../src/language-threads/language-threads.ts';

/**
 * Threads that all worlds of a test process share: each takes one to two seconds to start, and keeps nothing of what it
 * was asked. Every world gets objects of its own, which it may change.
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
/** However busy the machine is, a request waits for the rules. */
const PATIENT = { requestWithin: 30_000 };
const withVectors = once(() => createLanguageThreads(sharedEmbedder, PATIENT));
const withoutVectors = once(() => createLanguageThreads(() => null, PATIENT));

/** Threads for the rules, with the shared embedder or without any. */
export function sharedThreads(hasVectors: boolean) {
  const { requests, warm } = withoutVectors();
  const { steps, ...threads } = hasVectors ? withVectors() : withoutVectors();
  // Each takes seconds to start: one does both kinds of steps, and one answers the requests of all.
  return { ...threads, steps, facts: steps, requests, warm };
}
