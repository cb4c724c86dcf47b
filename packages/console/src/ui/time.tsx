import { DateTime } from 'luxon';
import { createContext, use } from 'react';

/** The time zone in which times are shown: the user's own, or the browser's. */
export const TimeZone = createContext<string | undefined>(undefined);

type Style = 'moment' | 'day' | 'clock' | 'short' | 'brief';

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  short: { day: 'numeric', month: 'short' },
  brief: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes a time in a zone. */
export function formatTime(at: string | Date, style: Style, timeZone?: string): string {
  const name = `${style} ${timeZone}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat(undefined, { ...STYLES[style], timeZone });
    formats.set(name, format);
  }
  return format.format(new Date(at));
}

/** The moment at which a day ("2026-03-29") begins in a zone, or some days after it. */
export const startOf = (day: string, timeZone = 'local', daysAfter = 0): string | null =>
  DateTime.fromISO(day, { zone: timeZone }).plus({ days: daysAfter }).toUTC().toISO();

/** Writes a time in UTC, as it is shown on hover. */
const utc = (at: string): string =>
  `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`;

/** A time in the user's zone, with UTC on hover. */
export function Time({ at, style = 'moment' }: { at: string; style?: Style }) {
  const zone = use(TimeZone);
  return (
    <time dateTime={at} title={utc(at)} className="whitespace-nowrap tabular-nums">
      {formatTime(at, style, zone)}
    </time>
  );
}

const SPANS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Writes how long something took, in its largest unit. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [unit, length] = SPANS.find(([, most]) => seconds >= most) ?? ['s', 1];
  return `${Math.round(seconds / length)} ${unit}`;
}
