import { countTokens, decode, encode } from 'gpt-tokenizer/encoding/o200k_base';

const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
/** No token stands for more characters on average: what is longer is cut before it is counted. */
const CHARACTERS_A_TOKEN = 8;

/** Tokens of a text by o200k_base: exact for OpenAI's models, near enough for others. */
export const tokensOf = (text: string): number => countTokens(text, PLAIN);

/** The beginning of a text, at most so many tokens, and how many characters were left out. */
export function cutText(text: string, tokens: number): { text: string; leftOut: number } {
  const head = text.slice(0, tokens * CHARACTERS_A_TOKEN);
  const ids = encode(head, PLAIN);
  if (head.length === text.length && ids.length <= tokens) return { text, leftOut: 0 };
  const decoded = decode(ids.slice(0, tokens));
  // A token may end within a letter.
  let length = 0;
  while (length < decoded.length && decoded[length] === text[length]) length += 1;
  const kept = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  return { text: kept, leftOut: text.length - kept.length };
}
