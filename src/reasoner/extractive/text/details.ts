import { LRUCache } from 'lru-cache';
import { textKey } from '../../../embedder/core/text-key.ts';
import { namedIn, namesAmong } from '../../../language/en/named.ts';
import { expandContractions, tokensOf } from './tokens.ts';

/**
 * The names, numbers and dates of a sentence as they stand in it, each once. A word at the start
 * counts as a name only if it is written as an acronym or is one to compromise.
 */
export function detailsOf(sentence: string): string[] {
  const { names, numbers, dates } = namedIn(sentence);
  return [...new Set([...names, ...namesAmong(leadingName(sentence)), ...numbers, ...dates])];
}

function leadingName(sentence: string): string[] {
  if (!/^\p{Lu}\p{Ll}/u.test(sentence)) return [];
  const beginning = expandContractions(sentence.split(/\s/).slice(0, 4).join(' '));
  const { start, end } = nameAt(beginning);
  return end > start ? [beginning.slice(start, end)] : [];
}

type Place = { start: number; end: number };
const NOWHERE: Place = { start: 0, end: 0 };

/** To tag words takes long, and of each sentence they are looked at by several steps. Kept without the words themselves. */
const known = new LRUCache<string, Place>({ max: 4_000 });

/** Where in the first words of a sentence its first word stands if that is a name; they hold it as it was written. */
function nameAt(beginning: string): Place {
  const key = textKey(beginning);
  const before = known.get(key);
  if (before) return before;
  const [head] = tokensOf(beginning);
  const isNamed =
    head !== undefined && ['FirstName', 'Place', 'Organization'].some((tag) => head.tags.has(tag));
  const start = isNamed ? beginning.indexOf(head.text) : 0;
  const found = isNamed ? { start, end: start + head.text.length } : NOWHERE;
  known.set(key, found);
  return found;
}

/** Whether a text still holds all of these, in whatever case. */
export function holds(text: string, details: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return details.every((detail) => lower.includes(detail.toLowerCase()));
}
