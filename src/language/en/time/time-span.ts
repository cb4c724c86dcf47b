import type { DateTime, DurationLike } from 'luxon';

export type TimeUnit =
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'weekend'
  | 'month'
  | 'quarter'
  | 'year';

/** A stretch of the calendar in the user's time zone, its end not included. */
export type Span = {
  from: DateTime;
  to: DateTime;
  /** The unit of the calendar that it is, if it is one. */
  unit?: TimeUnit;
  /** Which day of a week, or which time of a year, it is when that week or year is named beside it. */
  within?: { unit: 'week' | 'year'; of: (outer: DateTime) => Span | null };
};

/** Where a phrase is read from: the present, and what a name such as "March" may not be later than. */
export type Moment = { now: DateTime; latest: DateTime };

export type MonthDay = { year: number; month: number; day?: number };

/** What a form of words stands for; null if for no time. */
export type Form = {
  pattern: RegExp;
  /** Whether it is a time without a word such as "in" before it. */
  sure: (match: RegExpExecArray) => boolean;
  read: (match: RegExpExecArray, moment: Moment) => Span | null;
};

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
export const NUMBER = `(?:\\d{1,3}|${NUMBERS.join('|')})`;

/** "3", "three", "a". */
export function numberOf(word: string): number {
  const named = NUMBERS.indexOf(word.toLowerCase()) + 1;
  return named || Number(word) || 1;
}

export const alwaysSure = (): boolean => true;

/** The hour, day, ISO week … in which a moment lies, moved by so many of them. */
export function unitAt(at: DateTime, unit: TimeUnit, moved = 0): Span {
  if (unit === 'weekend') {
    const week = unitAt(at, 'week', moved);
    return { from: week.from.plus({ days: 5 }).startOf('day'), to: week.to, unit };
  }
  // Moved from midnight to midnight, and then to the start once more: some days have no midnight.
  const by = (count: number) =>
    at
      .startOf(unit)
      .plus({ [unit]: count })
      .startOf(unit);
  return { from: by(moved), to: by(moved + 1), unit };
}

/** So many days or months from the first of a month on. */
export function stretch(sample: DateTime, first: MonthDay, length: DurationLike): Span {
  const noon = sample.set({ year: first.year, month: first.month, day: first.day ?? 1, hour: 12 });
  return { from: noon.startOf('day'), to: noon.plus(length).startOf('day') };
}

/** One after the other, the first that began by `latest`; from a year's name that of this year. */
export function mostRecent(
  latest: DateTime,
  inYear: (year: number) => Span | null,
  year?: number,
): Span | null {
  if (year !== undefined) return inYear(year);
  // 29 February comes every four years, but not in 1900 or 2100.
  for (let back = 0; back <= 8; back += 1) {
    const span = inYear(latest.year - back);
    if (span && span.from <= latest) return span;
  }
  return null;
}
