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
  const [head] = tokensOf(expandContractions(sentence.split(/\s/).slice(0, 4).join(' ')));
  const named =
    head !== undefined && ['FirstName', 'Place', 'Organization'].some((tag) => head.tags.has(tag));
  return named ? [head.text] : [];
}

/** Whether a text still holds all of these, in whatever case. */
export function holds(text: string, details: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return details.every((detail) => lower.includes(detail.toLowerCase()));
}
