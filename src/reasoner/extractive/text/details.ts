import { LRUCache } from 'lru-cache';
import { textKey } from '../../../embedder/core/text-key.ts';
import { namedIn, namesAmong } from '../../../language/en/named.ts';
import { STOPWORDS } from '../../../language/en/words/english.ts';
import { plainEnglish } from './plain-english.ts';
import { taggedWordsOf } from './tagger.ts';

/**
 * The distinct names, numbers and dates in a sentence, as written. The first word counts as a name only if it is an
 * acronym or compromise tags it as a name.
 */
export function detailsOf(sentence: string): string[] {
  const { names, numbers, dates } = namedIn(sentence);
  return [...new Set([...names, ...namesAmong(leadingName(sentence)), ...numbers, ...dates])];
}

/** A cache, since tagging is slow and several steps read the same sentence. The keys are hashes without the words. */
const lengths = new LRUCache<string, number>({ max: 4_000 });

/** The name with which a sentence begins, within its first words. */
function leadingName(sentence: string): string[] {
  const [first = ''] = /^\p{Lu}\p{Ll}+/u.exec(sentence) ?? [];
  // Most sentences begin with a word that is never tagged as a name.
  if (first === '' || STOPWORDS.has(first.toLowerCase())) return [];
  const beginning = plainEnglish(sentence.split(/\s/).slice(0, 4).join(' '));
  const key = textKey(beginning);
  const length = lengths.get(key) ?? lengthOfName(beginning);
  lengths.set(key, length);
  return length > 0 ? [beginning.slice(0, length)] : [];
}

function lengthOfName(beginning: string): number {
  const [head] = taggedWordsOf(beginning);
  const isNamed = ['FirstName', 'Place', 'Organization'].some((tag) => head?.tags.has(tag));
  return isNamed && head && beginning.startsWith(head.text) ? head.text.length : 0;
}
