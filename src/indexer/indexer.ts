import { Piscina } from 'piscina';
import { CODE_FOLDER } from '../shared/code-folder.ts';
import { IS_BUILT } from '../worker-file.ts';

/** Reads texts for the keyword index and the ranking, off the main thread. */
export type Indexer = {
  /** Returns the terms of each text with their frequencies, in the order of the texts. */
  terms(texts: readonly string[]): Promise<[term: string, frequency: number][][]>;
  /** Returns the cues of each text for the ranking, see `rankingCuesOf`. */
  cues(texts: readonly string[]): Promise<number[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** How long a task may take, in milliseconds: far longer than any does. Then its thread is ended, so that others need not wait. */
const MOST = 60_000;

/** Creates an indexer with one thread, which is started on first use and stopped after a minute without work. */
export function createIndexer(): Indexer {
  const pool = new Piscina({
    filename: new URL(
      IS_BUILT ? 'indexer/read-texts.js' : 'indexer/indexer-worker.mjs',
      CODE_FOLDER,
    ).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  const run = (name: string, texts: readonly string[]) =>
    pool.run(texts, { name, signal: AbortSignal.timeout(MOST) });
  return {
    terms: (texts) => run('termsOfTexts', texts),
    cues: (texts) => run('cuesOfTexts', texts),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}
