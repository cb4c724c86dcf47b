import { nlp } from './tagger.ts';

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
