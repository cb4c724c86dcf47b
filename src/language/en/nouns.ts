import { pattern } from '../text/pattern.ts';
import { IRREGULAR_PLURALS } from './words/irregular-plurals.ts';

const WEEKDAY = /^(mon|tues|wednes|thurs|fri|satur|sun)days?$/i;
/** Nouns in the singular that end in "s". */
const SINGULAR_IN_S = pattern()`
  (?:ss|us|is|ics|os|'s)$|^(?:series|species|news|lens|tennis|chess|jeans|trousers|scissors|glasses|hummus|molasses
  |swiss|always|christmas|kubernetes|mathematics|dominoes|darts|cards|crutches|dishes|sports|arts|games|diabetes
  |herpes|rabies|measles|gas|bias|yes|as|this)$
`;
const DETERMINER =
  /^(?:the|a|an|my|our|your|his|her|their|some|any|all|every|each|these|those|this|that|no)\s+/iu;
const EMPTY_DETERMINER = /^(?:the|a|an|my|our|his|her|their)$/;
const POSSESSIVE = /'s?(?=\s|$)/gu;

/** The singular of a lower-case noun: "olives" → "olive". */
export function singular(noun: string): string {
  const irregular = IRREGULAR_PLURALS.get(noun);
  if (irregular) return irregular;
  if (noun.length < 4 || !noun.endsWith('s') || SINGULAR_IN_S.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(?:[cs]hes|xes|sses|zzes|oes|[^aeo]uses)$/.test(noun)) return noun.slice(0, -2);
  return noun.slice(0, -1);
}

/** The singular of a word, in lower case. Names keep their "s" ("Emacs", "Brussels"), except for weekdays. */
export function singularName(word: string): string {
  const isName = /^\p{Lu}/u.test(word) && !WEEKDAY.test(word);
  return isName ? word.toLowerCase() : singular(word.toLowerCase());
}

/** Removes the determiner before a noun phrase: "the horror films" → "horror films". */
export const withoutDeterminer = (phrase: string): string => phrase.replace(DETERMINER, '');

/** Removes possessive endings: "Ann's flat" → "Ann flat". */
export const withoutPossessives = (text: string): string => text.replace(POSSESSIVE, '');

/** Whether a lower-case word is an article or a possessive. They do not distinguish two values. */
export const isDeterminer = (word: string): boolean => EMPTY_DETERMINER.test(word);
