import { termsOf } from '../domain/terms.ts';

/** Runs in a worker thread: see indexer.ts. */
export const terms = (texts: readonly string[]) => texts.map((text) => [...termsOf(text)]);

// biome-ignore lint/style/noDefaultExport: Piscina calls a worker's default export.
export default terms;
