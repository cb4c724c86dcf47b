import { expect, it } from 'vitest';
import { sentenceFor } from '../../src/language/en/episode-sentence.ts';
import { calendarOf } from '../../src/shared/calendar.ts';

it.each([
  ['a plain day', '2026-03-02T09:00:00Z', null, '2026-03-02', 10, 2026, 'MORNING'],
  [
    '1 January in week 53 of the year before',
    '2027-01-01T12:00:00Z',
    null,
    '2027-01-01',
    53,
    2026,
    'AFTERNOON',
  ],
  [
    '31 December in week 1 of the year after',
    '2025-12-31T12:00:00Z',
    null,
    '2025-12-31',
    1,
    2026,
    'AFTERNOON',
  ],
  [
    'the day before, west of Greenwich',
    '2026-01-01T03:00:00Z',
    'America/New_York',
    '2025-12-31',
    1,
    2026,
    'NIGHT',
  ],
  [
    'the day after, east of it',
    '2026-01-04T22:30:00Z',
    'Asia/Tokyo',
    '2026-01-05',
    2,
    2026,
    'MORNING',
  ],
  [
    'an hour before clocks go forward',
    '2026-03-29T00:59:00Z',
    'Europe/Berlin',
    '2026-03-29',
    13,
    2026,
    'NIGHT',
  ],
  [
    'five hours after: one hour is missing',
    '2026-03-29T03:00:00Z',
    'Europe/Berlin',
    '2026-03-29',
    13,
    2026,
    'MORNING',
  ],
  [
    'the hour that comes twice',
    '2026-10-25T00:30:00Z',
    'Europe/Berlin',
    '2026-10-25',
    43,
    2026,
    'NIGHT',
  ],
  ['evening', '2026-03-02T21:59:00Z', null, '2026-03-02', 10, 2026, 'EVENING'],
])('the calendar of a moment is right: %s', (_name, at, zone, date, week, year, partOfDay) => {
  expect(calendarOf(new Date(at), zone)).toEqual({ date, week, year, partOfDay });
});

it('the sentence about an episode names date, ISO week and year, topic and approach', () => {
  const day = calendarOf(new Date('2027-01-01T12:00:00Z'), null);
  expect(sentenceFor(day, 'a dripping tap', 'changing the washer.')).toBe(
    'On 2027-01-01 (W53, 2026) we discussed a dripping tap. Approach: changing the washer.',
  );
  const early = calendarOf(new Date('2026-01-05T12:00:00Z'), null);
  expect(sentenceFor(early, 'a tap', null)).toBe('On 2026-01-05 (W02, 2026) we discussed a tap.');
});
