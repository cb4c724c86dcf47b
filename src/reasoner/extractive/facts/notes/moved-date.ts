import { MONTH } from '../../../../language/en/time/time-names.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { termsOf } from '../../../../language/text/terms.ts';

const IS_MONTH = new RegExp(`^${MONTH}$`, 'i');
const DAY_OF_MONTH = '(\\d{1,2})(?:st|nd|rd|th)?';
const DATE = new RegExp(
  `\\b(?:${DAY_OF_MONTH}(?: of)? (${MONTH})|(${MONTH}) ${DAY_OF_MONTH})\\b`,
  'gi',
);
const UNTIL = /\b(?:until|till|til)(?: the)? $/i;
/** Words that may be between a matter and its date. */
const LINK = pattern('i')`
  ^(?:is|are|s|be|will|now|ours|mine|on|from|until|till|til|to|the|moved?s?|changed|stays|starts|ends|(?:mon|tues?|wed
  (?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)$
`;
/** How many words before a date are searched for what it is the date of. */
const WORDS = 6;

type Dated = {
  /** Month and day. `ends`: whether something ends then. */
  day: string;
  ends: boolean;
  /** The words before the date, the nearest last. */
  before: string[];
};

function datesIn(text: string): Dated[] {
  return [...text.matchAll(DATE)].map((match) => {
    const [, first, month, other, second] = match;
    const lead = text.slice(0, match.index);
    const before = (lead.match(/[\p{L}\p{N}]+/gu) ?? []).slice(-WORDS);
    const begin = (month ?? other ?? '').slice(0, 3).toLowerCase();
    return { day: `${begin} ${Number(first ?? second)}`, ends: UNTIL.test(lead), before };
  });
}

/** The word that a date belongs to, with only verbs and prepositions in between: "the party is on 22 August"; never a month. */
function matterOf({ before }: Dated): string | undefined {
  const word = before.findLast((each) => !LINK.test(each));
  return word && !IS_MONTH.test(word) ? termsOf(word).keys().next().value : undefined;
}

/** Returns a test whether a former sentence gives another date for something in this text. */
export function datesMovedBy(text: string): (former: string) => boolean {
  const moved = datesIn(text).flatMap((date) => {
    const matter = matterOf(date);
    return matter === undefined ? [] : { ...date, matter };
  });
  if (moved.length === 0) return () => false;
  return (former) => {
    const earlier = datesIn(former);
    return moved.some(({ matter, day, ends }) =>
      earlier.some(
        (date) =>
          date.day !== day && date.ends === ends && termsOf(date.before.join(' ')).has(matter),
      ),
    );
  };
}
