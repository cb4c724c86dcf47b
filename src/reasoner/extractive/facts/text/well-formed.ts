import { pattern, source } from '../../../../language/text/pattern.ts';

const UNSOUNDED = /^(?:uni(?!n|m)|us[aeu]|euro|eu|one\b|once|ubi|ukr|ugand|urug|uto|ura)/i;
const SILENT_H = /^(?:hour|honest|honou?r|heir)/i;

/** "a" or "an", by the sound of the next word. Before an acronym the given article stays. */
function article(given: string, word: string): string {
  if (/^\p{Lu}{2}/u.test(word)) return given;
  const isVowel = (/^[aeiou]/i.test(word) && !UNSOUNDED.test(word)) || SILENT_H.test(word);
  return isVowel ? 'an' : 'a';
}

/** Occupations without an article: unique positions, plurals and ways of working. */
const NO_ARTICLE = pattern('i')`
  ^(?:an? |the |my |his |her |their |our |one |head |chief |director of|president of|vice |part of|self|freelance$
  |part[- ]time$|staff$|management$)|(?:[^s]s|staff|management)$
`;

/** Times in the past, which do not belong in a statement about the present. */
const PAST_TIME = source`
  (?:yesterday|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|\w{3,6}day)|(?:an?|one|two|three
  |four|five|six|\d{1,3}) (?:days?|weeks?|months?|years?) ago)
`;
const ENDS_IN_PAST = new RegExp(`^(The user (?!was |had |did )[a-z]+s \\S.*?),? ${PAST_TIME}\\.$`);
const IN_PAST = new RegExp(`\\b${PAST_TIME}\\b`, 'i');
/** Words that show that the time is that of a beginning, or of something else. */
const BEGINS = pattern('i')`
  \b(?:since|from|as of|until|till|before|after|started|began|begun|switched|moved|joined|got|became|was|were|had|did
  |went|made|took|bought|met|quit|left|broke|split|gave|lost|put|\w{2,}ed)\b
`;
const PRESENT =
  /^(?:I|we) (?:(?:usually|often|always|still|also|now|really|just|mostly) )*(?:am|are|have|[a-z]+)\b/i;

/** Whether a clause has a present verb but a past time: "I use Zed last week". That is no lasting fact. */
export const isHastyPast = (clause: string): boolean =>
  PRESENT.test(clause) && IN_PAST.test(clause) && !BEGINS.test(clause);

/** Corrects a composed statement: adds the articles that English requires and removes a past time after a present verb. */
export const wellFormed = (statement: string): string =>
  statement
    .replace(/(?<= works as )(?=\p{L})(?<job>[^.]{2,80})(?=\.$)/u, (job) =>
      NO_ARTICLE.test(job) || /^\p{Lu}{2}/u.test(job) ? job : `a ${job}`,
    )
    .replace(
      /(?<=\s)(an?) (?=(\p{L}+))/gu,
      (_, given: string, word: string) => `${article(given, word)} `,
    )
    .replace(ENDS_IN_PAST, '$1.');
