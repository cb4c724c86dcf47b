import type { DateTime } from 'luxon';
import { source } from '../../text/pattern.ts';
import { MONTH_NAMES, MONTHS, WEEKDAY } from './named-date.ts';
import {
  alwaysSure,
  type Form,
  type Moment,
  mostRecent,
  type Span,
  stretch,
  unitAt,
} from './time-span.ts';

export const MONTH = `(?:${MONTH_NAMES}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const YEAR = '(?:19[7-9]\\d|20\\d\\d)';
const OF_YEAR = `(?:,? (?:of |in )?(${YEAR})\\b)?`;
const NEAR = '(?:(last|this|this past|past) )?';

type Yearly = (year: number, sample: DateTime) => Span | null;

/** A time that comes once a year: that of the year named beside it, else the most recent; with "last" the most recent that is over. */
function onceAYear(
  inYear: Yearly,
  near: string | undefined,
  year: string | undefined,
  { now, latest }: Moment,
): Span | null {
  const read = (number: number) => inYear(number, now);
  const within = { unit: 'year', of: (outer: DateTime) => read(outer.year) } as const;
  const chosen = () => {
    if (year) return read(Number(year));
    if (near?.toLowerCase() === 'this') {
      // In January "this winter" began in December.
      const before = read(now.year - 1);
      return before && before.to > now ? before : read(now.year);
    }
    const span = mostRecent(latest, read);
    const ongoing = near && span && span.to > now;
    return ongoing ? mostRecent(span.from.minus({ days: 1 }), read) : span;
  };
  const span = chosen();
  return span && { ...span, within };
}

const MONTH_NAME: Form = {
  pattern: new RegExp(`\\b${NEAR}(${MONTH})\\b\\.?${OF_YEAR}(?! ?\\d)`, 'gi'),
  sure: ([text, near, , year]) => Boolean(year) || (Boolean(near) && !/^this ma/i.test(text)),
  read: ([, near, name = '', year], moment) => {
    const month = MONTHS.findIndex((full) => full.startsWith(name.toLowerCase().slice(0, 3))) + 1;
    const inYear: Yearly = (number, sample) => ({
      ...stretch(sample, { year: number, month }, { months: 1 }),
      unit: 'month',
    });
    return onceAYear(inYear, near, year, moment);
  },
};

/** Time zones of the southern hemisphere. */
const SOUTHERN =
  /^(?:Australia|Antarctica)|Auckland|Johannesburg|Sao_Paulo|Argentina|Buenos_Aires|Santiago|Montevideo|Asuncion/;
/** The first month of each season in the northern hemisphere. */
const SEASONS: Record<string, number> = { winter: 12, spring: 3, summer: 6, autumn: 9, fall: 9 };

/** Seasons of three whole months; a winter belongs to the year in which it begins. */
const SEASON: Form = {
  pattern: new RegExp(
    `\\b${NEAR}(?:the )?(spring|summer|autumn|(?<=\\b(?:last|this|past|the|in|since|during) )fall|winter)\\b${OF_YEAR}`,
    'gi',
  ),
  sure: ([, near, , year]) => Boolean(near || year),
  read: ([, near, name = '', year], moment) => {
    const turned = SOUTHERN.test(moment.now.zoneName ?? '') ? 6 : 0;
    const first = (((SEASONS[name.toLowerCase()] ?? 1) - 1 + turned) % 12) + 1;
    return onceAYear(
      (number, sample) => stretch(sample, { year: number, month: first }, { months: 3 }),
      near,
      year,
      moment,
    );
  },
};

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm; Meeus, Astronomical Algorithms, ch. 8). */
function easter(year: number): readonly [month: number, day: number] {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const at = h + l - 7 * m + 114;
  return [Math.floor(at / 31), (at % 31) + 1];
}

const on =
  (month: number, day: number, length = 1): Yearly =>
  (year, sample) =>
    stretch(sample, { year, month, day }, { days: length });

const HOLIDAYS: readonly (readonly [RegExp, Yearly])[] = [
  [/^christmas eve/, on(12, 24)],
  [/^christmas/, on(12, 25, 2)],
  [/^new year.* eve/, on(12, 31)],
  [/^new year/, on(1, 1)],
  [/^halloween/, on(10, 31)],
  [/^valentine/, on(2, 14)],
  [/^easter/, (year, sample) => on(...easter(year), 2)(year, sample)],
  [/^thanksgiving/, (year, sample) => on(11, fourthThursday(year))(year, sample)],
];

/** The day of the fourth Thursday in November. */
const fourthThursday = (year: number): number =>
  22 + ((11 - new Date(Date.UTC(year, 10, 1)).getUTCDay()) % 7);

const HOLIDAY: Form = {
  pattern: new RegExp(
    source`
      \b${NEAR}(christmas(?: eve| day)?|new year(?:'?s)?(?: eve| day)?|halloween|valentine(?:'?s)?(?: day)?|easter
      |thanksgiving)\b${OF_YEAR}
    `,
    'gi',
  ),
  sure: ([, near, , year]) => Boolean(near || year),
  read: ([, near, name = '', year], moment) => {
    const inYear = HOLIDAYS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
    return inYear ? onceAYear(inYear, near, year, moment) : null;
  },
};

/** A weekday: the most recent one before today; "this Monday" is that of this week. */
const WEEKDAY_NAME: Form = {
  pattern: new RegExp(
    source`
      (?<!\b(?:next|every|each|coming|following|black|good|ash|cyber|palm|easter|man|weeks? from
      |days? from) )\b${NEAR}(${WEEKDAY})\b(?! week\b)
    `,
    'gi',
  ),
  sure: alwaysSure,
  read: ([, near, name = ''], { now, latest }) => {
    const weekday = 1 + 'mo tu we th fr sa su'.split(' ').indexOf(name.toLowerCase().slice(0, 2));
    const of = (week: DateTime) => unitAt(week.startOf('week').plus({ days: weekday - 1 }), 'day');
    const own = of(latest);
    const past = near?.toLowerCase() === 'this' ? of(now) : own.from < latest.startOf('day');
    const span = past === true ? own : past || of(latest.minus({ weeks: 1 }));
    return { ...span, within: { unit: 'week', of } };
  },
};

/** A year, but not the number in "2000 words". */
const YEAR_NUMBER: Form = {
  pattern: new RegExp(
    source`
      \b(${YEAR})\b(?![.,:/-]?\d)(?! (?:words?|people|tokens?|lines?|characters?|steps?|times|points?|pieces?|miles
      |km|meters|metres|calories|kcal|euros?|dollars?|pounds|hours|rpm|percent)\b|%)
    `,
    'gi',
  ),
  sure: () => false,
  read: ([, year], { now }) => unitAt(now.set({ month: 1, day: 1, year: Number(year) }), 'year'),
};

const QUARTER: Form = {
  pattern: new RegExp(`\\bQ([1-4])\\b${OF_YEAR}`, 'g'),
  sure: ([, , year]) => Boolean(year),
  read: ([, quarter, year], moment) =>
    onceAYear(
      (number, sample) =>
        stretch(sample, { year: number, month: 3 * Number(quarter) - 2 }, { months: 3 }),
      undefined,
      year,
      moment,
    ),
};

/** "calendar week 10", "W10", "week 10 of 2026". */
const ISO_WEEK: Form = {
  pattern: new RegExp(
    `\\b(?:(?:calendar|iso) week |W(?=\\d\\d)|week (?=\\d{1,2},? (?:of |in )?${YEAR}))(\\d{1,2})\\b${OF_YEAR}`,
    'gi',
  ),
  sure: alwaysSure,
  read: ([, week, year], { now, latest }) => {
    const inYear: Yearly = (weekYear) => {
      const from = now
        .startOf('week')
        .set({ weekYear, weekNumber: Number(week) })
        .startOf('week');
      const exists = from.isValid && from.weekNumber === Number(week);
      return exists ? unitAt(from, 'week') : null;
    };
    if (year) return inYear(Number(year), now);
    // The year of a week is that of its Thursday: 31 December may be in W01.
    const begun = latest.weekYear - latest.year;
    return mostRecent(latest, (number) => inYear(number + begun, now));
  },
};

/** Times that have a name on the calendar. */
export const NAMED_FORMS: readonly Form[] = [
  MONTH_NAME,
  SEASON,
  HOLIDAY,
  WEEKDAY_NAME,
  YEAR_NUMBER,
  QUARTER,
  ISO_WEEK,
];
