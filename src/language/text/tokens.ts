import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
/** Words with the white space before them. Long words are split, since the tokenizer takes quadratic time for them. */
const PIECES = /\s{0,64}\S{1,64}|\s{1,64}/gu;

/** The number of tokens of a text in o200k_base: accurate enough for OpenAI's models and for others. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += countTokens(piece, PLAIN);
  return tokens;
}

/** The beginning of a text with at most `most` tokens, cut between words if possible. */
export function cutText(text: string, most: number): string {
  let left = most;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    left -= countTokens(piece, PLAIN);
    if (left < 0) return index > 0 ? text.slice(0, index) : cutWord(text, most);
  }
  return text;
}

/** Cuts a word without splitting a character. A character has at most four tokens, so a quarter as many characters fit. */
const cutWord = (text: string, most: number): string =>
  Array.from(text.slice(0, most))
    .slice(0, Math.max(1, Math.floor(most / 4)))
    .join('');
