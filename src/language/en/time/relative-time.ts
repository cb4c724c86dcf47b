// Not "yesterday" or "last week": those are days and weeks of the calendar, in the user's zone, and this counts hours.
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a moment was, in words: "3 weeks ago", "1 day ago", "now". */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? FORMAT.format(Math.trunc(seconds / unit[1]), unit[0]) : 'now';
}
