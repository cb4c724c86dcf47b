import { DAY } from '../../../shared/duration.ts';

/** A calendar month or day that a text names: "in June", "on 11 December, 2023". */
export type NamedDate = { year: number | null; month: number; day: number | null };

export const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
export const MONTH_NAMES = MONTHS.join('|');
/** A weekday in lower case. */
export const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const MONTH = `(${MONTH_NAMES})`;
const DAY_OF_MONTH = '(\\d{1,2})(?:st|nd|rd|th)?';
const ISO = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/;
const DAY_FIRST = new RegExp(`\\b${DAY_OF_MONTH}(?: of)? ${MONTH}\\b(?:,? (\\d{4})\\b)?`, 'i');
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY_OF_MONTH}\\b(?:,? (\\d{4})\\b)?`, 'i');
const MONTH_ONLY = new RegExp(`\\b${MONTH}\\b(?:,? (\\d{4})\\b)?`, 'i');
/** "may" and "march" are also verbs: alone they are months only after one of the words below, or before a year. */
const AMBIGUOUS = /^(may|march)$/i;
const BEFORE_MONTH =
  /\b(?:in|of|since|during|by|until|before|after|from|last|next|this|early|mid|late)[ -]$/i;

const numberOr = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text);

function date(year: string | undefined, month: number, day: string | undefined): NamedDate | null {
  const named = { year: numberOr(year), month, day: numberOr(day) };
  const valid =
    month >= 1 && month <= 12 && (named.day === null || (named.day >= 1 && named.day <= 31));
  return valid ? named : null;
}

const monthNumber = (name = ''): number => MONTHS.indexOf(name.toLowerCase()) + 1;

/** The first calendar month or day that an English text names; null if none. */
export function namedDateIn(text: string): NamedDate | null {
  const iso = ISO.exec(text);
  if (iso) return date(iso[1], Number(iso[2]), iso[3]);
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return date(dayFirst[3], monthNumber(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return date(monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2]);
  const alone = MONTH_ONLY.exec(text);
  if (!alone) return null;
  const [, name = '', year] = alone;
  const sure = !AMBIGUOUS.test(name) || year || BEFORE_MONTH.test(text.slice(0, alone.index));
  return sure ? date(year, monthNumber(name), undefined) : null;
}

/**
 * Returns a test whether a moment falls on a named date in a time zone. A named day includes the day after
 * it, since people often tell of a day on the next one. A month without a year matches that month of any year.
 */
export function saidOn(named: NamedDate, timeZone: string): (at: Date) => boolean {
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...parts });
  const matches = (at: Date): boolean => {
    const [month, day, year] = format.format(at).split('/').map(Number);
    return (
      month === named.month &&
      (named.year === null || year === named.year) &&
      (named.day === null || day === named.day)
    );
  };
  return (at) => matches(at) || (named.day !== null && matches(new Date(at.getTime() - DAY)));
}
