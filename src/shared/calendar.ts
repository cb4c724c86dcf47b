import { DateTime } from 'luxon';

const PARTS_OF_DAY = ['NIGHT', 'MORNING', 'AFTERNOON', 'EVENING'] as const;
export type PartOfDay = (typeof PARTS_OF_DAY)[number];

/** A moment in the calendar of a time zone. */
export type CalendarDay = {
  /** Such as "2026-03-02". */
  date: string;
  /** ISO week, 1-53, and the year it belongs to: 1 January may be in week 53 of the year before. */
  week: number;
  year: number;
  partOfDay: PartOfDay;
};

/** Converts a moment to the calendar of a time zone (IANA name; null = UTC). */
export function calendarOf(at: Date, timeZone: string | null): CalendarDay {
  const local = DateTime.fromJSDate(at, { zone: timeZone ?? 'utc' });
  return {
    date: local.toFormat('yyyy-MM-dd'),
    week: local.weekNumber,
    year: local.weekYear,
    partOfDay: partOfDay(local.hour),
  };
}

/** The hour at which each part of the day begins. */
export const DAY_BEGINS = { MORNING: 5, AFTERNOON: 12, EVENING: 17, NIGHT: 22 } as const;

function partOfDay(hour: number): PartOfDay {
  const { MORNING, AFTERNOON, EVENING, NIGHT } = DAY_BEGINS;
  if (hour < MORNING || hour >= NIGHT) return 'NIGHT';
  if (hour < AFTERNOON) return 'MORNING';
  return hour < EVENING ? 'AFTERNOON' : 'EVENING';
}
