import { pattern } from '../text/pattern.ts';
import { WEEKDAY } from './time/named-date.ts';

const DATE_WORD = pattern('gi')`
  \b(?:${WEEKDAY}s?|january|february|april|june|july|august|september|october|november|december|(?:(?<=\d\s
  |in |of |last |next |since )(?:march|may))|(?:march|may)(?= \d)|yesterday|today|tonight|tomorrow|(?:last
  |next) (?:week|weekend|month|year|night|spring|summer|fall|autumn|winter|time))\b
`;
const NUMBER = /[$€£]?\d[\d,.:/-]*\d[%\p{L}]*|[$€£]?\d[%\p{L}]*/gu;
const NAME =
  /(?<=[\p{L}\p{N},;)&/-]\s?["'(]?)(?<!\p{L})\p{Lu}[\p{L}\p{N}&'’.-]*[\p{L}\p{N}](?:\s(?!I\b)\p{Lu}[\p{L}\p{N}&'’.-]*[\p{L}\p{N}])*/gu;
const ACRONYM = /\b\p{Lu}[\p{Lu}\p{N}&-]+\b/gu;
const NO_NAME = /^(?:I(?:'\w+)?|Im|OK|AM|PM|LOL|OMG|BTW|The|A|An|And|But|So|My|It|We|You)$/;

/** Of capitalised words those that are names, without possessive endings. Words that are always capitalised are left out. */
export const namesAmong = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/['’]s?$/, '')).filter((word) => !NO_NAME.test(word));

/** The names, numbers and dates in a sentence, as written. The first word counts as a name only if it is an acronym. */
export function namedIn(sentence: string): { names: string[]; numbers: string[]; dates: string[] } {
  return {
    names: namesAmong([...(sentence.match(NAME) ?? []), ...(sentence.match(ACRONYM) ?? [])]),
    numbers: sentence.match(NUMBER) ?? [],
    dates: sentence.match(DATE_WORD) ?? [],
  };
}
