import { LRUCache } from 'lru-cache';
import { textKey } from '../../../embedder/core/text-key.ts';
import { namedIn, namesAmong } from '../../../language/en/named.ts';
import { plainEnglish } from './plain-english.ts';
import { taggedWordsOf } from './tokens.ts';

/**
 * The distinct names, numbers and dates in a sentence, as written. The first word counts as a name only if it is an
 * acronym or compromise tags it as a name.
 */
export function detailsOf(sentence: string): string[] {
  const { names, numbers, dates } = namedIn(sentence);
  return [...new Set([...names, ...namesAmong(leadingName(sentence)), ...numbers, ...dates])];
}

function leadingName(sentence: string): string[] {
  if (!/^\p{Lu}\p{Ll}/u.test(sentence)) return [];
  const beginning = plainEnglish(sentence.split(/\s/).slice(0, 4).join(' '));
  const { start, end } = nameAt(beginning);
  return end > start ? [beginning.slice(start, end)] : [];
}

type Place = { start: number; end: number };
const NOWHERE: Place = { start: 0, end: 0 };

/** A cache, since tagging is slow and several steps read the same sentence. The keys are hashes without the words. */
const positions = new LRUCache<string, Place>({ max: 4_000 });

/** The position of the name with which a sentence begins, within its first words; `NOWHERE` if it does not begin with one. */
function nameAt(beginning: string): Place {
  const key = textKey(beginning);
  const cached = positions.get(key);
  if (cached) return cached;
  const [head] = taggedWordsOf(beginning);
  const isNamed =
    head !== undefined && ['FirstName', 'Place', 'Organization'].some((tag) => head.tags.has(tag));
  const start = isNamed ? beginning.indexOf(head.text) : 0;
  const found = isNamed ? { start, end: start + head.text.length } : NOWHERE;
  positions.set(key, found);
  return found;
}

/** Whether a text contains all of these details, ignoring case. */
export function holds(text: string, details: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return details.every((detail) => lower.includes(detail.toLowerCase()));
}
