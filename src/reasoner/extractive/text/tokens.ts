import { pattern } from '../../../language/text/pattern.ts';
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

const BE: Record<string, string> = { i: 'am', you: 'are', we: 'are', they: 'are' };

const CONTRACTED_IS = pattern('gi')`
  \b(he|she|it|that)'s ((?!called|named|considered|used|supposed|located|based)(?:\w+ed|made|given|brought|taken
  |come|gone|done|taught|grown|shown))(?= (?:a|an|me|us|my|our|so|such|up|through)\b)
`;

/** Expands contractions so that each verb is a word of its own: "I'm" → "I am", "what's" → "what is". */
export function expandContractions(text: string): string {
  return text
    .replace(/(?<![\p{L}'])i(?![\p{L}])(?!\.)/gu, 'I')
    .replace(/\bim\b(?= )/gi, (found) => (found === 'im' || found === 'Im' ? 'I am' : found))
    .replace(/\b(I|you|we|they)'(m|re)\b/gi, (_, who: string) => `${who} ${BE[who.toLowerCase()]}`)
    .replace(/\b(I|you|we|they|would|could|should|might|must)'ve\b/gi, '$1 have')
    .replace(/\b(I|you|we|they|he|she|it|that|there|who|what)'ll\b/gi, '$1 will')
    .replace(/\b(I|you|we|they|he|she|it)'d (better|been|always been)\b/gi, '$1 had $2')
    .replace(/\b(I|you|we|they|he|she|it|that|there|who)'d\b/gi, '$1 would')
    .replace(/\b(he|she|it|that|there|what|who|where)'s (been|got|had|become)\b/gi, '$1 has $2')
    .replace(CONTRACTED_IS, '$1 has $2')
    .replace(/\b(he|she|it|that|there|here|what|who|where|how|when|why)'s\b/gi, '$1 is')
    .replace(/\blet's\b/gi, "let's")
    .replace(/\bwanna\b/gi, 'want to')
    .replace(/\bgonna\b/gi, 'going to')
    .replace(/\bgotta\b/gi, 'got to');
}

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
