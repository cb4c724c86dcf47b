import { expect, it } from 'vitest';
import { relativeTime } from '../../../../src/language/en/time/relative-time.ts';

const NOW = new Date('2026-03-20T12:00:00Z');

it.each([
  ['2026-03-20T11:59:30Z', 'now'],
  ['2026-03-20T11:30:00Z', '30 minutes ago'],
  ['2026-03-20T12:00:30Z', 'now'],
  ['2026-03-19T10:00:00Z', '1 day ago'],
  ['2026-03-06T12:00:00Z', '2 weeks ago'],
  ['2025-03-06T12:00:00Z', '1 year ago'],
])('the time %s is described as "%s"', (at, text) => {
  expect(relativeTime(new Date(at), NOW)).toBe(text);
});

it.each([
  // 46 hours before a Wednesday morning, and not the day before it.
  ['2026-03-02T10:00:00Z', '1 day ago'],
  // In the week before the last one.
  ['2026-02-19T12:00:00Z', '1 week ago'],
  ['2026-01-10T12:00:00Z', '1 month ago'],
  // In the year before the last one.
  ['2024-04-10T12:00:00Z', '1 year ago'],
])('the time %s is not named as a day, week, month or year of the calendar: "%s"', (at, text) => {
  expect(relativeTime(new Date(at), new Date('2026-03-04T08:00:00Z'))).toBe(text);
});
