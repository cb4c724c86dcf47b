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

/** A range on the calendar in the user's time zone, excluding its end. */
export type Span = {
  from: DateTime;
  to: DateTime;
  /** The calendar unit, if the range is exactly one. */
  unit?: TimeUnit;
  /** Returns this day in another week, or this time in another year, which the text names beside it. */
  within?: { unit: 'week' | 'year'; of: (outer: DateTime) => Span | null };
};

/** The reference for a phrase: the present, and the latest begin of a named time such as "March". */
export type Moment = { now: DateTime; latest: DateTime };

export type MonthDay = { year: number; month: number; day?: number };

/** A kind of time phrase. `read` returns null if the match is no time. */
export type Form = {
  pattern: RegExp;
  /** Whether a match is a time even without a word such as "in" before it. */
  sure: (match: RegExpExecArray) => boolean;
  read: (match: RegExpExecArray, moment: Moment) => Span | null;
};

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
export const NUMBER = `(?:\\d{1,3}|${NUMBERS.join('|')})`;

/** The number that a word stands for: "3", "three", "a". */
export function numberOf(word: string): number {
  const named = NUMBERS.indexOf(word.toLowerCase()) + 1;
  return named || Number(word) || 1;
}

export const alwaysSure = (): boolean => true;

/** The hour, day, ISO week … that contains a moment, moved by `moved` units. */
export function unitAt(at: DateTime, unit: TimeUnit, moved = 0): Span {
  if (unit === 'weekend') {
    const week = unitAt(at, 'week', moved);
    return { from: week.from.plus({ days: 5 }).startOf('day'), to: week.to, unit };
  }
  // Some days have no midnight, so the start of the unit is taken again after the move.
  const by = (count: number) =>
    at
      .startOf(unit)
      .plus({ [unit]: count })
      .startOf(unit);
  return { from: by(moved), to: by(moved + 1), unit };
}

/** A range that begins on a day of a month and has the given length. */
export function stretch(sample: DateTime, first: MonthDay, length: DurationLike): Span {
  const noon = sample.set({ year: first.year, month: first.month, day: first.day ?? 1, hour: 12 });
  return { from: noon.startOf('day'), to: noon.plus(length).startOf('day') };
}

/** The most recent yearly range that began by `latest`; with a year, that of the year. */
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
