import { termsOf } from '../text/terms.ts';

/** Terms that occur in talk about any theme. */
const COMMON = new Set(
  termsOf(
    `great good nice big little small right true sure thing things lot bit way time times today tomorrow yesterday tonight morning evening
    afternoon night day days week weeks weekend month year hour minute monday tuesday wednesday thursday friday saturday sunday one two
    three four five six first second third last next new old think know say said tell told mean like love want need try look see hear
    feel get got go come take make let put find give keep ask call called work start back please thanks thank welcome yes already still
    even ever never always really actually maybe done fine well exactly perfect decide decided agree agreed settle settled ready happy
    sorry hope help haha wow`,
  ).keys(),
);

/** Whether a term can distinguish themes. A number of one or two digits is a day, an hour or a count, and occurs nearly everywhere. */
const isInformative = (term: string): boolean => !COMMON.has(term) && !/^\d{1,2}$/.test(term);

/** The distinct terms of a text that can distinguish themes. */
export const themeTermsIn = (text: string): string[] =>
  [...termsOf(text).keys()].filter(isInformative);
