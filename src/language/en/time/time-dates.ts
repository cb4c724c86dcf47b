import type { ParsedComponents } from 'chrono-node';
import { type Chrono, casual, GB } from 'chrono-node/en';
import type { DateTime } from 'luxon';
import { source } from '../../text/pattern.ts';
import { WEEKDAY } from './named-date.ts';
import { MONTH } from './time-names.ts';
import { alwaysSure, type Form, type Moment, mostRecent, type Span, unitAt } from './time-span.ts';

const ORDINAL_DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const TO = '(?: ?(?:-|–|to|and|until|through) ?)';
const WITH_YEAR = '(?:,? (?:of )?\\d{4}\\b)?';

/** Where the month comes first, 3/5 being in March: the USA with their territories, English Canada and the Philippines. */
const MONTH_FIRST = 'US PR VI GU MP AS CA PH'.split(' ');
/** Other names of their time zones. */
const OTHER_NAME = /^(?:US|Canada|America\/(?:Indiana|Kentucky))\//;

/** Newer versions of Node.js have the method, older ones the property. */
type Locale = { getTimeZones?: () => string[]; timeZones?: string[] };

const monthFirstZones = new Set(
  MONTH_FIRST.flatMap((country) => {
    const locale = new Intl.Locale('en', { region: country }) as Locale;
    return locale.getTimeZones?.() ?? locale.timeZones ?? [];
  }),
);

const readers = new Map<string, Chrono>();

function readerFor(zone: string | null): Chrono {
  if (!zone?.includes('/')) return GB;
  const known = readers.get(zone);
  if (known) return known;
  // A former name, such as America/Montreal, becomes the present one.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  const isFirst = [zone, timeZone].some((name) => monthFirstZones.has(name));
  const reader = isFirst || OTHER_NAME.test(zone) ? casual : GB;
  readers.set(zone, reader);
  return reader;
}

/** The days that a written date covers; null if there is no such day. */
function daysOf(text: string, { now }: Moment): Span | null {
  const [result] = readerFor(now.zoneName).parse(text, now.toJSDate());
  if (!result || result.index > 0 || !result.start.isCertain('day')) return null;
  const at = (day: ParsedComponents) => {
    const [year, month, number] = [day.get('year'), day.get('month'), day.get('day')];
    return now.startOf('day').set({ year: year ?? now.year, month: month ?? 1, day: number ?? 1 });
  };
  const first = unitAt(at(result.start), 'day');
  const to = result.end && unitAt(at(result.end), 'day').to;
  return to && to > first.to ? { from: first.from, to } : first;
}

const WEEKDAY_FIRST = new RegExp(`^${WEEKDAY},? (?:the )?`, 'i');

/** Dates that chrono reads: "3 May", "May 3rd, 2024", "Tuesday, 3 May", "3 and 5 May", "3 - 5 May 2024", "2024-05-03", "3/5/2024". */
const DATE: Form = {
  pattern: new RegExp(
    source`
      \b(?:${WEEKDAY},? (?:the )?)?(?:${ORDINAL_DAY}(?:${TO}${ORDINAL_DAY})?(?: of)? ${MONTH}\b\.?${WITH_YEAR}
      |${MONTH}\.? (?:the )?${ORDINAL_DAY}(?:${TO}${ORDINAL_DAY}(?! ?${MONTH}))?\b${WITH_YEAR}|\d{4}-\d\d?-\d\d?(?!-?\d)
      |(?<![\d./])\d\d?([./])\d\d?\1(?:\d\d)?\d\d(?![./]?\d))
    `,
    'gi',
  ),
  sure: alwaysSure,
  read: ([text], moment) => {
    const plain = text
      .replace(WEEKDAY_FIRST, '')
      .replace(/ ?\b(?:to|and|until|through)\b ?| ?– ?/i, ' - ')
      .replace(/\b(?:the|of) /gi, '');
    if (/\d{4}|[./]/.test(plain)) return daysOf(plain, moment);
    const of = (sample: DateTime) => daysOf(`${plain}, ${sample.year}`, moment);
    const inYear = (year: number) => of(moment.now.set({ month: 1, day: 1, year }));
    const span = mostRecent(moment.latest, inYear);
    return span && { ...span, within: { unit: 'year', of } };
  },
};

/** "on the 15th": the most recent one. */
const DAY_OF_MONTH: Form = {
  pattern:
    /(?<=\bthe )(\d{1,2})(?:st|nd|rd|th)\b(?= of (?:this|last) month|\s*(?:[?.!,;]|$)| (?:and|to|until)\b)(?: of (this|last) month)?/gi,
  sure: () => false,
  read: ([, number, which], { now, latest }) => {
    const day = Number(number);
    const month = (back: number) => {
      const first = latest.startOf('month').minus({ months: back });
      return day >= 1 && day <= (first.daysInMonth ?? 0)
        ? unitAt(first.plus({ days: day - 1 }), 'day')
        : null;
    };
    if (which) return month(which.toLowerCase() === 'this' ? 0 : 1);
    const spans = [0, 1, 2].map(month);
    return spans.find((span) => span && span.from <= now.startOf('day')) ?? null;
  },
};

/** Days named by number. */
export const DATE_FORMS: readonly Form[] = [DATE, DAY_OF_MONTH];
