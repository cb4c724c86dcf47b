import { expandContractions, tokensOf } from './tokens.ts';

const DATE_WORD =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december|(?:(?<=\d\s|in |of |last |next |since )(?:march|may))|(?:march|may)(?= \d)|yesterday|today|tonight|tomorrow|(?:last|next) (?:week|weekend|month|year|night|spring|summer|fall|autumn|winter|time))\b/gi;
const NUMBER = /[$€£]?\d[\d,.:/-]*\d[%\p{L}]*|[$€£]?\d[%\p{L}]*/gu;
const NAME =
  /(?<=[\p{L}\p{N},;)&/-]\s?["'(]?)(?<!\p{L})\p{Lu}[\p{L}\p{N}&'’.-]*[\p{L}\p{N}](?:\s(?!I\b)\p{Lu}[\p{L}\p{N}&'’.-]*[\p{L}\p{N}])*/gu;
const ACRONYM = /\b\p{Lu}[\p{Lu}\p{N}&-]+\b/gu;
const NO_NAME = /^(?:I(?:'\w+)?|Im|OK|AM|PM|LOL|OMG|BTW|The|A|An|And|But|So|My|It|We|You)$/;

/**
 * The names, numbers and dates of a sentence as they stand in it, each once. A word at the start
 * counts as a name only if it is written as an acronym or is one to compromise.
 */
export function detailsOf(sentence: string): string[] {
  const names = [
    ...(sentence.match(NAME) ?? []),
    ...(sentence.match(ACRONYM) ?? []),
    ...leadingName(sentence),
  ]
    .map((name) => name.replace(/['’]s?$/, ''))
    .filter((name) => !NO_NAME.test(name));
  return [
    ...new Set([...names, ...(sentence.match(NUMBER) ?? []), ...(sentence.match(DATE_WORD) ?? [])]),
  ];
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
