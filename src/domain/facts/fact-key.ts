import {
  isDeterminer,
  singular,
  singularName,
  withoutDeterminer,
  withoutPossessives,
} from '../../language/en/nouns.ts';
import { british } from '../../language/en/spelling.ts';
import { EXCLUSIVE_DIETS } from '../../language/en/words/diets.ts';
import { RELATION_NAMES } from '../../language/en/words/relations.ts';
import { cut } from '../../language/text/cut.ts';
import { normalized } from '../../language/text/normalize.ts';
import { trimEndOf } from '../../language/text/trim-end.ts';

/** The longest part of a key, in UTF-16 units. */
const LONGEST_PART = 80;

/**
 * Turns an object into a part of a key: lower-case, without a determiner, its last word in the singular, words joined by
 * "_" ("the Horror films" → "horror_film"). Empty if nothing is left.
 */
export function keyPart(object: string): string {
  const plain = normalized(object, 'NFC').replaceAll('’', "'").trim();
  const words = withoutPossessives(withoutDeterminer(plain))
    .split(/[^\p{L}\p{N}\p{M}+#]+/u)
    .filter(Boolean);
  const last = words.pop();
  if (last === undefined) return '';
  return cut(
    [...words.map((word) => word.toLowerCase()), singularName(last)].join('_'),
    LONGEST_PART,
  );
}

/** Turns a relation or a name into a part of a key; "mum" and "mother" are the same relation. */
export function relationPart(relation: string): string {
  const part = keyPart(relation);
  return RELATION_NAMES.get(part) ?? part;
}

/** A canonical key (requirements 9.3) from its fixed front and an object, in one spelling; null if the object is empty. */
export function factKey(front: string, object: string, attribute?: string): string | null {
  const part = keyPart(object).split('_').map(british).join('_');
  if (part === '') return null;
  return attribute === undefined ? `${front}:${part}` : `${front}:${part}:${attribute}`;
}

/** A value for comparison, without differences of case, accents, determiners, plurals and punctuation. */
export function normalValue(value: string): string {
  return normalized(value, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}+#@.]+/u)
    .map((word) => trimEndOf(word, /\./))
    .filter((word) => word !== '' && !isDeterminer(word))
    .map(singular)
    .join(' ');
}

const PERSON_KEY = /^person:([^:]+):([^:]+)$/;

/** The parts of a `person:<name or relation>:<attribute>` key; null for any other. */
export function personKeyOf(key: string | null): { who: string; attribute: string } | null {
  const [, who, attribute] = (key && PERSON_KEY.exec(key)) || [];
  return who && attribute ? { who, attribute } : null;
}

const DIET = 'constraint:diet:';

const isExclusiveDiet = (key: string): boolean =>
  key.startsWith(DIET) && EXCLUSIVE_DIETS.has(key.slice(DIET.length));

type Keyed = { category: string; key: string | null; value: string };

/** What a fact is about, in a form that is fast to compare. */
export type Subject = { key: string | null; category: string; readonly value: string };

/** The subjects of facts that are compared with one candidate after another. Facts do not change. */
const subjects = new WeakMap<Keyed, Subject>();

/** The subject of a fact. Its value is normalised on first use. */
export function subjectOf(fact: Keyed): Subject {
  const known = subjects.get(fact);
  if (known) return known;
  const { category, key, value } = fact;
  let normal: string | undefined;
  const subject: Subject = {
    key: key && (isExclusiveDiet(key) ? 'constraint:diet' : tasteOf(key)),
    category,
    get value() {
      normal ??= normalValue(value);
      return normal;
    },
  };
  subjects.set(fact, subject);
  return subject;
}

/**
 * Whether two facts are about the same thing, so that only one of them can be valid: they have the same key, or are diets
 * that exclude each other, or, if one has no key, have the same value in the same category.
 */
export const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.key !== null && other.key !== null
    ? one.key === other.key
    : one.category === other.category && one.value === other.value;

/** Treats interests as preferences: "hates running" and "likes to run" have the same subject. */
const tasteOf = (key: string): string => key.replace(/^interest:/, 'preference:');
