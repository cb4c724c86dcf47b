import { STOPWORDS } from '../../../language/en/words/english.ts';
import { cached } from '../../../language/text/cached.ts';
import { pattern } from '../../../language/text/pattern.ts';
import { type Token, taggedWordsOf } from './tagger.ts';

/** A noun phrase without articles and possessives before it. */
export type Phrase = {
  text: string;
  /** Its main noun: "train" in "night train to Bergen". */
  head: string;
  /** Whether it begins with an activity: "painting the fence". */
  isDoing: boolean;
};

const LEADING = pattern('i')`
  ^(?:dear|hello|hi|hey|the|an?|my|your|our|their|his|her|its|this|that|these|those|some|any|all|such|more|most|one
  |another|each|every|other|last|next|own|both|many|few|of)$
`;
const JOINING = /^(?:of|in|for|to|from|at|with|about|on|between|near)$/;
const MOST_WORDS = 7;

/** Words of casual speech that the tagger takes for nouns. */
const NO_NOUN = pattern('u')`
  ^(?:last|next|just|several|couple|lots?|bit|\p{L}|without|(?:do|does|did|ca|wo|is|are|was|were|would|could|should
  |have|has)nt|i[mdv]e?|(?:that|there|what|he|she|who|how|let)s|(?:they|you|we)(?:re|ve|ll)|ur|b4|bc|cos|coz|cuz|til
  |till|pls|plz|thx|tho|tbh|idk|imo|omg|btw|ya|yes|no|nah|soz|ugh|ooh|um|er|yay|sorry|please|thanks|ok|right|well|now
  |then|else|instead|again|together|etc|vs|via|per|ones?|use|let|stays|goes|comes|gets|says|keeps|helps|(?:min|sec|hr|wk|yr)s?|km|kg|cm|mm)$
`;
/** A normal word. Anything else is markup, a formula or a path. */
const PLAIN_WORD = /^[$€£]?[\p{L}\p{N}][\p{L}\p{N}\p{M}'’&.,%€$£°-]*$/u;

const isWord = ({ tags, lower }: Token) =>
  !tags.has('Pronoun') &&
  !tags.has('Date') &&
  !NO_NOUN.test(lower) &&
  !STOPWORDS.has(lower) &&
  PLAIN_WORD.test(lower) &&
  (['Noun', 'Adjective', 'Value', 'ProperNoun'].some((tag) => tags.has(tag)) ||
    (tags.has('Gerund') && lower.length > 5));

const isHead = ({ tags }: Token) =>
  (tags.has('Noun') && !tags.has('Pronoun')) || tags.has('ProperNoun');

/** Whether punctuation precedes a token, so that another phrase begins. */
const isApart = (tokens: readonly Token[], at: number): boolean =>
  /[,;:.!?()"–—/]|\s-/.test(`${tokens[at - 1]?.post ?? ''}${tokens[at]?.pre ?? ''}`);

/** The end of the run of adjectives and nouns that begins at a token; `from` if no noun ends it. */
function core(tokens: readonly Token[], from: number): number {
  let end = from;
  while (end < tokens.length && isWord(tokens[end] as Token)) {
    end += 1;
    if (isApart(tokens, end)) break;
  }
  while (end > from && !isHead(tokens[end - 1] as Token)) end -= 1;
  return end;
}

/** The end of a phrase that may continue after a preposition: "train" + "to Cambridge". */
function extended(tokens: readonly Token[], from: number): number {
  let end = core(tokens, from);
  while (
    end > from &&
    end - from < MOST_WORDS &&
    JOINING.test(tokens[end]?.lower ?? '') &&
    !isApart(tokens, end)
  ) {
    let next = end + 1;
    while (/^(?:the|a|an|some|all|any)$/.test(tokens[next]?.lower ?? '')) next += 1;
    const reached = core(tokens, next);
    if (reached === next || reached - from > MOST_WORDS) break;
    end = reached;
  }
  return end;
}

const OBJECT =
  /^(?:this|that|these|those|it|me|him|her|us|them|you|the|an?|my|our|his|their|your)$/;
const UNCHANGED = /^(?:set|put|cut|hit|cost|quit|shut|spread|split|hurt|cast|bet|run|read)$/;

/** Whether a word that is tagged as a noun is a verb, since a subject precedes and an object follows: "Toby set this up". */
function isVerb(tokens: readonly Token[], at: number): boolean {
  const [before, word, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!before || !word || !after || !OBJECT.test(after.lower)) return false;
  if (isApart(tokens, at) || isApart(tokens, at + 1)) return false;
  if (!isHead(word) || !/^\p{Ll}/u.test(word.text)) return false;
  if (!isHead(before) || before.tags.has('Possessive')) return false;
  const isThird = word.lower.endsWith('s') && !before.lower.endsWith('s');
  return before.tags.has('FirstName') || UNCHANGED.test(word.lower) || isThird;
}

/** The words of a text; a verb that was taken for a noun is tagged as a verb. */
const wordsIn = (text: string): Token[] =>
  taggedWordsOf(text).map((token, at, all) =>
    isVerb(all, at) ? { ...token, tags: new Set(['Verb']) } : token,
  );

/** The text of some tokens: without the verb in "the school's moved", but with the ending of "at St Brigid's". */
function textBetween(tokens: readonly Token[], from: number, end: number): string {
  const words = tokens.slice(from, end);
  const text = words
    .map(({ text, post }, place) => text + (place === words.length - 1 ? '' : post))
    .join('')
    .trim();
  return end < tokens.length && !isApart(tokens, end) ? text.replace(/['’]s$/, '') : text;
}

/** All noun phrases of a text, with and without their continuation after prepositions. Several steps read the same sentence. */
export const nounPhrases: (text: string) => readonly Phrase[] = cached((text) => {
  const tokens = wordsIn(text);
  const found = new Map<string, Phrase>();
  for (let from = 0; from < tokens.length; from++) {
    const token = tokens[from] as Token;
    if (LEADING.test(token.lower) || token.tags.has('Value') || !isWord(token)) continue;
    const before = tokens[from - 1];
    // Does not begin in the middle of a run: not "support group" in "LGBTQ support group".
    if (
      before !== undefined &&
      isWord(before) &&
      !LEADING.test(before.lower) &&
      !before.tags.has('Value') &&
      !isApart(tokens, from)
    )
      continue;
    const headEnd = core(tokens, from);
    for (const end of [headEnd, extended(tokens, from)]) {
      const phrase = textBetween(tokens, from, end);
      if (!/\p{L}{2}/u.test(phrase) || found.has(phrase)) continue;
      const head = textBetween(tokens, headEnd - 1, headEnd);
      const isDoing = token.tags.has('Gerund') || /\wing$/.test(token.lower);
      found.set(phrase, { text: phrase, head, isDoing });
    }
  }
  return [...found.values()];
});
