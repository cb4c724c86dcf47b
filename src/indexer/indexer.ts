import { Piscina } from 'piscina';
import { IS_BUILT } from '../worker-file.ts';

/** Splits texts into the terms of the keyword index, off the main thread. */
export type Indexer = {
  /** Returns the terms of each text with their frequencies, in the order of the texts. */
  terms(texts: readonly string[]): Promise<[term: string, frequency: number][][]>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Creates an indexer with one thread, which is started on first use and stopped after a minute without work. */
export function createIndexer(): Indexer {
  const pool = new Piscina({
    filename: new URL(IS_BUILT ? './terms-worker.js' : './indexer-worker.mjs', import.meta.url)
      .href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  return {
    terms: (texts) => pool.run(texts),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}
