import { normalized } from '../../language/text/normalize.ts';
import { pattern } from '../../language/text/pattern.ts';
import { trimEndOf } from '../../language/text/trim-end.ts';

const WEEKDAY = /^(mon|tues|wednes|thurs|fri|satur|sun)days?$/i;
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    children: 'child',
    people: 'person',
    men: 'man',
    women: 'woman',
    mice: 'mouse',
    geese: 'goose',
    feet: 'foot',
    teeth: 'tooth',
    knives: 'knife',
    loaves: 'loaf',
    wolves: 'wolf',
    leaves: 'leaf',
    shelves: 'shelf',
    movies: 'movie',
    cookies: 'cookie',
    brownies: 'brownie',
    smoothies: 'smoothie',
    zombies: 'zombie',
    selfies: 'selfie',
    hoodies: 'hoodie',
    pies: 'pie',
    shoes: 'shoe',
    canoes: 'canoe',
    caches: 'cache',
    headaches: 'headache',
  }),
);
/** Ends in "s" and yet names one thing. */
const SINGULAR_IN_S = pattern()`
  (?:ss|us|is|ics|os|'s)$|^(?:series|species|news|lens|tennis|chess|jeans|trousers|scissors|glasses|hummus
  |molasses|swiss|always|christmas|kubernetes|mathematics|dominoes|darts|cards|crutches|dishes|sports|arts|games
  |diabetes|herpes|rabies|measles|gas|bias|yes|as|this)$
`;
const DETERMINER =
  /^(?:the|a|an|my|our|your|his|her|their|some|any|all|every|each|these|those|this|that|no)\s+/iu;

/** A lower-case English noun in the singular, by rule: "olives" → "olive". */
export function singular(noun: string): string {
  const irregular = IRREGULAR.get(noun);
  if (irregular) return irregular;
  if (noun.length < 4 || !noun.endsWith('s') || SINGULAR_IN_S.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(?:[cs]hes|xes|sses|zzes|oes|[^aeo]uses)$/.test(noun)) return noun.slice(0, -2);
  return noun.slice(0, -1);
}

/** A name keeps its last letter ("Emacs", "Brussels"); the name of a weekday does not. */
function singularWord(word: string): string {
  const isName = /^\p{Lu}/u.test(word) && !WEEKDAY.test(word);
  return isName ? word.toLowerCase() : singular(word.toLowerCase());
}

/**
 * An object as a part of a key: lower-case, without a determiner, its last word in the singular,
 * words joined by "_" ("the Horror films" → "horror_film"). Empty when nothing is left.
 */
export function keyPart(object: string): string {
  const words = normalized(object, 'NFC')
    .replaceAll('’', "'")
    .trim()
    .replace(DETERMINER, '')
    .replace(/'s?(?=\s|$)/gu, '')
    .split(/[^\p{L}\p{N}\p{M}+#]+/u)
    .filter(Boolean);
  const last = words.pop();
  if (last === undefined) return '';
  return [...words.map((word) => word.toLowerCase()), singularWord(last)].join('_').slice(0, 80);
}

const RELATION_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mother: 'mum mom mam mama mummy mommy',
    father: 'dad daddy papa',
    grandmother: 'grandma granny gran nan nana nanna',
    grandfather: 'grandpa grandad granddad',
    husband: 'hubby',
    girlfriend: 'gf',
    boyfriend: 'bf',
    sister: 'sis',
    brother: 'bro',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);

/** A relation or a name as a part of a key; "mum" and "mother" are one relation. */
export function relationPart(relation: string): string {
  const part = keyPart(relation);
  return RELATION_NAMES.get(part) ?? part;
}

/** A canonical key (requirements 9.3) from its fixed front and an object; null when the object is empty. */
export function factKey(front: string, object: string, attribute?: string): string | null {
  const part = keyPart(object);
  if (part === '') return null;
  return attribute === undefined ? `${front}:${part}` : `${front}:${part}:${attribute}`;
}

/** Two values compared: case, accents, determiners, plural and punctuation folded. */
export function normalValue(value: string): string {
  return normalized(value, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}+#@.]+/u)
    .map((word) => trimEndOf(word, /\./))
    .filter((word) => word !== '' && !/^(?:the|a|an|my|our|his|her|their)$/.test(word))
    .map(singular)
    .join(' ');
}

const PERSON_KEY = /^person:([^:]+):([^:]+)$/;

/** The parts of a `person:<name or relation>:<attribute>` key; null for any other. */
export function personKeyOf(key: string | null): { who: string; attribute: string } | null {
  const [, who, attribute] = (key && PERSON_KEY.exec(key)) || [];
  return who && attribute ? { who, attribute } : null;
}

const DIETS_EXCLUDING =
  /^constraint:diet:(?:vegan|vegetarian|veggie|pescatarian|pescetarian|flexitarian|carnivore|plant_based|fruitarian)$/;

type Told = { category: string; key: string | null; value: string };

/** What a fact is about, in a form that is quick to compare. */
export type Subject = { key: string | null; category: string; readonly value: string };

/** The value is read when it is first needed. */
export function subjectOf({ category, key, value }: Told): Subject {
  let normal: string | undefined;
  return {
    key: key && (DIETS_EXCLUDING.test(key) ? 'constraint:diet' : tasteOf(key)),
    category,
    get value() {
      normal ??= normalValue(value);
      return normal;
    },
  };
}

/**
 * Whether two facts are about one thing, so that only one of them can hold: the same key, diets that
 * exclude each other, or, where one has no key, the same value in the same category.
 */
export const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.key !== null && other.key !== null
    ? one.key === other.key
    : one.category === other.category && one.value === other.value;

/** What is done for pleasure is liked: "hates running" and "likes to run" are one matter. */
const tasteOf = (key: string): string => key.replace(/^interest:/, 'preference:');
