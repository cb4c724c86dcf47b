import { weightOf } from './boilerplate.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A noun phrase without articles and owners before it. */
export type Phrase = { text: string; worth: number };

const LEADING =
  /^(?:the|a|an|my|your|our|their|his|her|its|this|that|these|those|some|any|all|such|more|most|one|another|each|every|other|last|next|own|both|many|few|of)$/i;
const JOINING = new Set([
  'of',
  'in',
  'for',
  'to',
  'from',
  'at',
  'with',
  'about',
  'on',
  'between',
  'near',
]);
const MOST_WORDS = 7;

const isWord = ({ tags, lower }: Token) =>
  !tags.has('Pronoun') &&
  !tags.has('Date') &&
  !/^(?:last|next|just|several|couple|lots?)$/.test(lower) &&
  lower !== 'not' &&
  (tags.has('Noun') ||
    tags.has('Adjective') ||
    tags.has('Value') ||
    tags.has('ProperNoun') ||
    (tags.has('Gerund') && lower.length > 5));

const isHead = ({ tags }: Token) =>
  (tags.has('Noun') && !tags.has('Pronoun')) || tags.has('ProperNoun');

/** A run of adjectives and nouns from a place on; empty if no noun ends it. */
function core(tokens: readonly Token[], from: number): number {
  let end = from;
  while (end < tokens.length && isWord(tokens[end] as Token)) {
    end += 1;
    if (/[,;:.!?()"–—]|\s-/.test(tokens[end - 1]?.post ?? '')) break;
  }
  while (end > from && !isHead(tokens[end - 1] as Token)) end -= 1;
  return end;
}

/** "train" + "to Cambridge": a phrase may go on behind a preposition. */
function extended(tokens: readonly Token[], from: number): number {
  let end = core(tokens, from);
  while (
    end > from &&
    end - from < MOST_WORDS &&
    JOINING.has(tokens[end]?.lower ?? '') &&
    !/[,;:.!?]/.test(tokens[end - 1]?.post ?? '')
  ) {
    let next = end + 1;
    while (/^(?:the|a|an|some|all|any)$/.test(tokens[next]?.lower ?? '')) next += 1;
    const reached = core(tokens, next);
    if (reached === next || reached - from > MOST_WORDS) break;
    end = reached;
  }
  return end;
}

function textBetween(tokens: readonly Token[], from: number, end: number): string {
  const words = tokens.slice(from, end);
  return words
    .map(({ text, post }, place) => text + (place === words.length - 1 ? '' : post))
    .join('')
    .trim();
}

/** Every noun phrase of a text, with and without what goes on behind prepositions. */
export function nounPhrases(text: string): Phrase[] {
  const tokens = tokensOf(text);
  const found = new Map<string, number>();
  for (let from = 0; from < tokens.length; from++) {
    const token = tokens[from] as Token;
    if (LEADING.test(token.lower) || token.tags.has('Value') || !isWord(token)) continue;
    const before = tokens[from - 1];
    // Not from the middle of a run: "support group" of "LGBTQ support group".
    if (
      before !== undefined &&
      isWord(before) &&
      !LEADING.test(before.lower) &&
      !before.tags.has('Value') &&
      !/[,;:.!?]/.test(before.post)
    )
      continue;
    for (const end of [core(tokens, from), extended(tokens, from)]) {
      if (end === from) continue;
      const phrase = textBetween(tokens, from, end);
      if (!found.has(phrase)) found.set(phrase, weightOf(phrase));
    }
  }
  return [...found]
    .map(([phrase, worth]) => ({ text: phrase, worth }))
    .filter(({ text: phrase }) => /\p{L}{2}/u.test(phrase));
}
