import { createRequire } from 'node:module';
import type Compromise from 'compromise/two';

let tagger: typeof Compromise | null = null;

/**
 * Reads a text with compromise: words with part-of-speech tags only. It is loaded when first needed: its tables take most of
 * the time in which a language thread starts.
 */
export function nlp(text: string): ReturnType<typeof Compromise> {
  tagger ??= createRequire(import.meta.url)('compromise/two') as typeof Compromise;
  return tagger(text);
}
