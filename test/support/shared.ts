import { createBuiltInEmbedder } from '../../src/embedder/built-in.ts';
import { createIndexer } from '../../src/indexer/indexer.ts';
import { createThreadedReasoner } from '../../src/reasoner/extractive/threaded.ts';

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
const reasoner = once(() => createThreadedReasoner(sharedEmbedder()));
const reasonerWithoutVectors = once(() => createThreadedReasoner(null));

/** The built-in reasoner, with the shared embedder or without any. */
export const sharedReasoner = (withVectors: boolean) =>
  withVectors ? reasoner() : reasonerWithoutVectors();
