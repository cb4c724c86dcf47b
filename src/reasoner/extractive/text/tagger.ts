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

/** A word with its tags by compromise. */
export type Token = {
  /** The word as written, without punctuation. */
  text: string;
  lower: string;
  /** Punctuation and spaces before it; `post`: after it. */
  pre: string;
  post: string;
  tags: ReadonlySet<string>;
};

/** The tagged words of one sentence. */
export function taggedWordsOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { text: word, pre, post, tags } of nlp(text).docs.flat()) {
    const last = tokens.at(-1);
    // The implied half of a contraction has no text, only the space after it.
    if (word === '' && last !== undefined) last.post += pre + post;
    else if (word !== '') {
      tokens.push({ text: word, lower: word.toLowerCase(), pre, post, tags: new Set(tags) });
    }
  }
  return tokens;
}
