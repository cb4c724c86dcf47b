import { describe, expect, it } from 'vitest';
import { namedDateIn, saidOn } from '../../../../src/language/en/time/named-date.ts';

describe('namedDateIn', () => {
  it.each([
    ['What happened in June?', { year: null, month: 6, day: null }],
    ['in November 2022', { year: 2022, month: 11, day: null }],
    ['on 11 December, 2023', { year: 2023, month: 12, day: 11 }],
    ['on the 3rd of July', { year: null, month: 7, day: 3 }],
    ['January 23, 2022', { year: 2022, month: 1, day: 23 }],
    ['since May', { year: null, month: 5, day: null }],
    ['May 2023', { year: 2023, month: 5, day: null }],
    ['between August 11 and August 15 2023', { year: null, month: 8, day: 11 }],
    ['by 2024-02-29', { year: 2024, month: 2, day: 29 }],
    ['May I ask how the march went?', null],
    ['on 45 June', null],
    ['version 2024-13', null],
    ['no date here', null],
  ])('the date named in %j is found', (text, named) => {
    expect(namedDateIn(text)).toEqual(named);
  });
});

describe('saidOn', () => {
  it.each([
    ['a month', { year: null, month: 6, day: null }, '2021-06-30T12:00:00Z', 'UTC', true],
    ['another month', { year: null, month: 6, day: null }, '2021-07-01T12:00:00Z', 'UTC', false],
    ['another year', { year: 2022, month: 6, day: null }, '2021-06-30T12:00:00Z', 'UTC', false],
    ['the day', { year: 2021, month: 6, day: 30 }, '2021-06-30T12:00:00Z', 'UTC', true],
    ['the day after', { year: 2021, month: 6, day: 30 }, '2021-07-01T12:00:00Z', 'UTC', true],
    ['the day before', { year: 2021, month: 6, day: 30 }, '2021-06-29T12:00:00Z', 'UTC', false],
    ['the zone', { year: 2021, month: 7, day: null }, '2021-06-30T20:00:00Z', 'Asia/Tokyo', true],
  ])('saidOn compares a time with a named date: %s', (_, named, at, zone, expected) => {
    expect(saidOn(named, zone)(new Date(at))).toBe(expected);
  });
});
