import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { timeRangeIn } from '../../../../src/language/en/time/time-phrases.ts';

const BERLIN = 'Europe/Berlin';
/** Wednesday, 18 November 2026, 14:30 in Berlin; ISO week 47. */
const WEDNESDAY = new Date('2026-11-18T13:30:00Z');

/** The range in local time, such as "2026-11-09 … 2026-11-16"; "" is an open side, midnight is left out. */
function rangeOf(text: string, now = WEDNESDAY, zone = BERLIN): string | null {
  const range = timeRangeIn(text, now, zone);
  const local = (at: Date | null) =>
    at ? DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd HH:mm').replace(' 00:00', '') : '';
  return range && `${local(range.from)} … ${local(range.to)}`.trim();
}

/** One case a line, its parts parted by arrows. */
const table = (lines: string) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('//'))
    .map((line) => line.split(' → '));

describe('the range of time that a phrase means in the user’s calendar', () => {
  it.each(
    table(`
    // days
      What did we talk about yesterday? → 2026-11-17 … 2026-11-18
      what have I told you today → 2026-11-18 … 2026-11-19
      the day before yesterday → 2026-11-16 … 2026-11-17
      What did I do the day before yesterday morning? → 2026-11-16 05:00 … 2026-11-16 12:00
      yesterday in the evening → 2026-11-17 17:00 … 2026-11-17 22:00
      What did I say this morning? → 2026-11-18 05:00 … 2026-11-18 12:00
      this afternoon → 2026-11-18 12:00 … 2026-11-18 17:00
      Where did I go last night? → 2026-11-17 17:00 … 2026-11-18 05:00
      three days ago → 2026-11-15 … 2026-11-16
      3 days ago → 2026-11-15 … 2026-11-16
      a few days ago → 2026-11-12 … 2026-11-17
      a couple of days ago → 2026-11-15 … 2026-11-17
      two hours ago → 2026-11-18 10:30 … 2026-11-18 14:31
      // weeks are ISO weeks
      What did we do last week? → 2026-11-09 … 2026-11-16
      What did we decide this week? → 2026-11-16 … 2026-11-23
      the week before last → 2026-11-02 … 2026-11-09
      two weeks ago → 2026-11-02 … 2026-11-09
      in the past week → 2026-11-11 … 2026-11-19
      over the last 3 weeks → 2026-10-28 … 2026-11-19
      for the past two weeks → 2026-11-04 … 2026-11-19
      What did we talk about over the last weeks? → 2026-10-07 … 2026-11-19
      in the past months → 2026-05-18 … 2026-11-19
      during the last days → 2026-11-12 … 2026-11-19
      in the last few days → 2026-11-12 … 2026-11-19
      in the last 24 hours → 2026-11-17 14:00 … 2026-11-18 15:00
      What was decided in W10? → 2026-03-02 … 2026-03-09
      calendar week 53 → 2020-12-28 … 2021-01-04
      week 10 of 2025 → 2025-03-03 … 2025-03-10
      over the weekend → 2026-11-14 … 2026-11-16
      How was my last weekend? → 2026-11-14 … 2026-11-16
      the weekend before last → 2026-11-07 … 2026-11-09
      // weekdays: the most recent one before today
      on Monday → 2026-11-16 … 2026-11-17
      What did I say on Wednesday? → 2026-11-11 … 2026-11-12
      last Friday → 2026-11-13 … 2026-11-14
      on Saturday night → 2026-11-14 17:00 … 2026-11-15 05:00
      this Tuesday → 2026-11-17 … 2026-11-18
      on Monday last week → 2026-11-09 … 2026-11-10
      last week on Thursday → 2026-11-12 … 2026-11-13
      Friday two weeks ago → 2026-11-06 … 2026-11-07
      since Friday → 2026-11-13 …
      from Monday on → 2026-11-16 …
      from Friday to Sunday → 2026-11-13 … 2026-11-16
      between Thursday and Monday → 2026-11-12 … 2026-11-17
      // months, quarters, years
      What happened in March? → 2026-03-01 … 2026-04-01
      in December → 2025-12-01 … 2026-01-01
      in November → 2026-11-01 … 2026-12-01
      last November → 2025-11-01 … 2025-12-01
      last May → 2026-05-01 … 2026-06-01
      in May → 2026-05-01 … 2026-06-01
      in Sept. → 2026-09-01 … 2026-10-01
      January 2024 → 2024-01-01 … 2024-02-01
      in March last year → 2025-03-01 … 2025-04-01
      in early May → 2026-05-01 … 2026-05-11
      at the end of October → 2026-10-22 … 2026-11-01
      mid-June → 2026-06-11 … 2026-06-21
      last month → 2026-10-01 … 2026-11-01
      two months ago → 2026-09-01 … 2026-10-01
      since the beginning of the year → 2026-01-01 …
      last quarter → 2026-07-01 … 2026-10-01
      in Q1 → 2026-01-01 … 2026-04-01
      Q4 2025 → 2025-10-01 … 2026-01-01
      in 2024 → 2024-01-01 … 2025-01-01
      last year → 2025-01-01 … 2026-01-01
      a year ago → 2025-01-01 … 2026-01-01
      this year → 2026-01-01 … 2027-01-01
      between March and May → 2026-03-01 … 2026-06-01
      between December and February → 2025-12-01 … 2026-03-01
      in March or April 2024 → 2024-03-01 … 2024-05-01
      from 2023 to 2024 → 2023-01-01 … 2025-01-01
      in the first half of 2025 → 2025-01-01 … 2025-07-01
      in the last half of 2025 → 2025-07-01 … 2026-01-01
      in early 2025 → 2025-01-01 … 2025-05-01
      the trip of 3 May 2027, as told yesterday → 2026-11-17 … 2026-11-18
      // seasons and feasts
      last summer → 2026-06-01 … 2026-09-01
      in the fall → 2026-09-01 … 2026-12-01
      last autumn → 2025-09-01 … 2025-12-01
      during the winter → 2025-12-01 … 2026-03-01
      in the summer of 2023 → 2023-06-01 … 2023-09-01
      before Christmas → … 2025-12-25
      over Easter → 2026-04-05 … 2026-04-07
      on New Year's Eve → 2025-12-31 … 2026-01-01
      the day after Christmas → 2025-12-27 … 2025-12-28
      two weeks before Easter → 2026-03-16 … 2026-03-23
      at Thanksgiving → 2025-11-27 … 2025-11-28
      between Christmas and New Year → 2025-12-25 … 2026-01-02
      // dates
      since 3 May → 2026-05-03 …
      on 3 May → 2026-05-03 … 2026-05-04
      on the 3rd of May, 2024 → 2024-05-03 … 2024-05-04
      on May 3rd in the morning → 2026-05-03 05:00 … 2026-05-03 12:00
      in the evening of 3 May → 2026-05-03 17:00 … 2026-05-03 22:00
      Sunday, 3 May → 2026-05-03 … 2026-05-04
      on 24 December → 2025-12-24 … 2025-12-25
      on 29 February → 2024-02-29 … 2024-03-01
      on 3 May last year → 2025-05-03 … 2025-05-04
      between 3 and 5 May → 2026-05-03 … 2026-05-06
      on May 31 and 15 → 2026-05-31 … 2026-06-01
      between May 3 and 5 → 2026-05-03 … 2026-05-06
      3–5 May 2024 → 2024-05-03 … 2024-05-06
      from 28 December to 3 January → 2025-12-28 … 2026-01-04
      from May 28 to June 3, 2024 → 2024-05-28 … 2024-06-04
      What was on 2026-05-03? → 2026-05-03 … 2026-05-04
      3/5/2024 → 2024-05-03 … 2024-05-04
      on 03.05.2024 → 2024-05-03 … 2024-05-04
      on the 15th → 2026-11-15 … 2026-11-16
      on the 25th? → 2026-10-25 … 2026-10-26
      on the 3rd of last month → 2026-10-03 … 2026-10-04
      before 3 May 2024 → … 2024-05-03
      after 3 May → 2026-05-04 …
      until June → … 2026-07-01
      by the end of May → … 2026-06-01
      yesterday and today → 2026-11-17 … 2026-11-19
      the day after 3 May → 2026-05-04 … 2026-05-05
      the weekend before 1 June → 2026-05-30 … 2026-06-01
      the weekend after 1 June → 2026-06-06 … 2026-06-08
      the weekend after 6 June → 2026-06-13 … 2026-06-15
      two weekends after 1 June → 2026-06-13 … 2026-06-15
      What’s new since last week? → 2026-11-09 …

    `),
  )('"%s" becomes the range %s', (text = '', range = '') => {
    expect(rangeOf(text)).toBe(range);
  });

  it.each(
    table(`
      Sunday evening: this weekend → 2026-11-22T19:00:00Z → over the weekend → 2026-11-21 … 2026-11-23
      Sunday: the last weekend is the one before → 2026-11-22T19:00:00Z → last weekend → 2026-11-14 … 2026-11-16
      in January: the last month → 2026-01-10T12:00:00Z → last month → 2025-12-01 … 2026-01-01
      just after local midnight → 2026-11-17T23:10:00Z → yesterday → 2026-11-17 … 2026-11-18
      the first ISO week begins in the year before → 2026-01-01T12:00:00Z → this week → 2025-12-29 … 2026-01-05
      a summer that is not over → 2026-07-10T12:00:00Z → last summer → 2025-06-01 … 2025-09-01
      and is → 2026-07-10T12:00:00Z → this summer → 2026-06-01 … 2026-09-01
      a winter that began last year → 2026-01-15T12:00:00Z → this winter → 2025-12-01 … 2026-03-01
      a winter that has just begun → 2026-12-15T12:00:00Z → this winter → 2026-12-01 … 2027-03-01
      the last days of a year may be in W01 → 2024-12-31T12:00:00Z → in W01 → 2024-12-30 … 2025-01-06
      the first days of a year may be in W53 → 2027-01-01T12:00:00Z → in W53 → 2026-12-28 … 2027-01-04
    `),
  )('a phrase is read relative to the current time: %s', (_, now = '', text = '', range = '') => {
    expect(rangeOf(text, new Date(now))).toBe(range);
  });

  it.each(
    table(`
      a day of 23 hours → 2026-03-30T10:00:00Z → Europe/Berlin → yesterday → 2026-03-28T23:00 → 2026-03-29T22:00
      a day of 25 hours → 2026-10-26T10:00:00Z → Europe/Berlin → yesterday → 2026-10-24T22:00 → 2026-10-25T23:00
      a month with the change → 2026-04-10T10:00:00Z → Europe/Berlin → in March → 2026-02-28T23:00 → 2026-03-31T22:00
      a morning after the change → 2026-03-30T10:00:00Z → Europe/Berlin → yesterday morning → 2026-03-29T03:00 → 2026-03-29T10:00
      west of Greenwich → 2026-11-18T02:00:00Z → America/New_York → today → 2026-11-17T05:00 → 2026-11-18T05:00
      east of it → 2026-11-17T23:00:00Z → Asia/Tokyo → today → 2026-11-17T15:00 → 2026-11-18T15:00
      a midnight that does not exist → 2026-09-07T12:00:00Z → America/Santiago → yesterday → 2026-09-06T04:00 → 2026-09-07T03:00
      months first in the USA → 2026-11-18T12:00:00Z → America/New_York → on 3/5/2024 → 2024-03-05T05:00 → 2024-03-06T05:00
      also by a former name of the zone → 2026-11-18T12:00:00Z → US/Eastern → on 3/5/2024 → 2024-03-05T05:00 → 2024-03-06T05:00
      also by another name → 2026-11-18T12:00:00Z → America/Indiana/Indianapolis → on 3/5/2024 → 2024-03-05T05:00 → 2024-03-06T05:00
      also in Honolulu → 2026-11-18T12:00:00Z → Pacific/Honolulu → on 3/5/2024 → 2024-03-05T10:00 → 2024-03-06T10:00
      days first in Brazil → 2026-11-18T12:00:00Z → America/Sao_Paulo → on 3/5/2024 → 2024-05-03T03:00 → 2024-05-04T03:00
      days first in Mexico → 2026-11-18T12:00:00Z → America/Mexico_City → on 3/5/2024 → 2024-05-03T06:00 → 2024-05-04T06:00
      this summer in the south → 2026-01-15T12:00:00Z → Australia/Sydney → this summer → 2025-11-30T13:00 → 2026-02-28T13:00
      summer in the south → 2026-11-18T12:00:00Z → Australia/Brisbane → last summer → 2025-11-30T14:00 → 2026-02-28T14:00
    `),
  )(
    'a phrase is read in the time zone of the user: %s',
    (_, now = '', zone = '', text = '', from = '', to = '') => {
      const range = timeRangeIn(text, new Date(now), zone);
      expect([range?.from?.toISOString(), range?.to?.toISOString()]).toEqual(
        [from, to].map((at) => `${at}:00.000Z`),
      );
    },
  );

  it.each([
    ['What did we do last week in Porto?', 'last week'],
    ['So: what changed since 3 May, roughly?', 'since 3 May'],
    ['What did I do the day before yesterday morning?', 'the day before yesterday morning'],
    ['was it between 3 and 5 May or not', 'between 3 and 5 May'],
    ['What did I write on Monday of last week about it?', 'on Monday of last week'],
    ['What was agreed at the end of October?', 'at the end of October'],
  ])('the phrase that names the time is found in "%s"', (text, phrase) => {
    expect(timeRangeIn(text, WEDNESDAY, BERLIN)?.phrase).toBe(phrase);
  });
});
