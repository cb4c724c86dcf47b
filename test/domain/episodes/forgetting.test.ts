import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decayOf,
  firstState,
  RATINGS,
  retrievability,
  reviewed,
  reviewSkip,
} from '../../../src/domain/episodes/forgetting.ts';

const AT = new Date('2026-03-02T12:00:00Z');
const later = (days: number) => new Date(AT.getTime() + days * 86_400_000);

it('surprise makes a memory last up to half as long again', () => {
  const plain = firstState(0);
  expect(plain.stability).toBeGreaterThan(1);
  expect(firstState(1).stability).toBeCloseTo(plain.stability * 1.5);
  expect(firstState(0.6).stability).toBeCloseTo(plain.stability * 1.3);
  expect(firstState(1).difficulty).toBe(plain.difficulty);
});

it('retrievability is 90 % after the stability, and falls more slowly for a surprising memory', () => {
  const plain = firstState(0);
  expect(retrievability(plain, AT, AT)).toBe(1);
  expect(retrievability(plain, AT, later(plain.stability))).toBeCloseTo(0.9, 2);
  expect(retrievability(plain, AT, later(100))).toBeLessThan(retrievability(plain, AT, later(10)));
  expect(retrievability(firstState(1), AT, later(30))).toBeGreaterThan(
    retrievability(plain, AT, later(30)),
  );
});

it('before a memory was made its retrievability is 1', () => {
  expect(retrievability(firstState(0), AT, later(-5))).toBe(1);
});

describe('a review', () => {
  const memory = { ...firstState(0.4), since: AT };

  it('a better rating gives higher stability and lower difficulty', () => {
    const made = RATINGS.map((rating) => reviewed(memory, rating, later(5)));
    const stabilities = made.map(({ stability }) => stability);
    expect(stabilities).toEqual(stabilities.toSorted((a, b) => a - b));
    expect(stabilities[0]).toBeLessThan(memory.stability);
    expect(stabilities[1]).toBeGreaterThan(memory.stability);
    const difficulties = made.map(({ difficulty }) => difficulty);
    expect(difficulties).toEqual(difficulties.toSorted((a, b) => b - a));
  });

  it('a review dated before the last one counts at the time of the last one', () => {
    const early = reviewed(memory, 'GOOD', later(-3));
    expect(early).toEqual(reviewed(memory, 'GOOD', AT));
    expect(early.since).toEqual(AT);
  });

  it('reviews keep stability and difficulty in their bounds, in any order', () => {
    const review = fc.tuple(
      fc.constantFrom(...RATINGS),
      fc.double({ min: -30, max: 4_000, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(review, { maxLength: 30 }), (reviews) => {
        let at = memory;
        for (const [rating, days] of reviews) {
          const next = reviewed(at, rating, new Date(at.since.getTime() + days * 86_400_000));
          expect(next.since >= at.since).toBe(true);
          expect(next.difficulty).toBeGreaterThanOrEqual(1);
          expect(next.difficulty).toBeLessThanOrEqual(10);
          expect(next.stability).toBeGreaterThan(0);
          expect(Number.isFinite(next.stability)).toBe(true);
          at = next;
        }
      }),
    );
  });

  it.each([
    ['never reviewed', '2026-03-10T10:00', null, '2026-03-10T11:00', null, null],
    ['the day before', '2026-03-10T10:00', '2026-03-09T10:00', '2026-03-10T11:00', null, null],
    [
      'the same day',
      '2026-03-10T10:00',
      '2026-03-10T09:00',
      '2026-03-10T11:00',
      null,
      'reviewed that day',
    ],
    [
      'the same day in New York',
      '2026-03-11T02:00',
      '2026-03-10T14:00',
      '2026-03-11T03:00',
      'America/New_York',
      'reviewed that day',
    ],
    [
      'another day in Tokyo',
      '2026-03-10T16:00',
      '2026-03-10T14:00',
      '2026-03-10T17:00',
      'Asia/Tokyo',
      null,
    ],
    [
      'since it was shown',
      '2026-03-10T10:00',
      '2026-03-11T10:00',
      '2026-03-12T10:00',
      null,
      'reviewed since it was shown',
    ],
  ])('a review counts or is skipped: %s', (_, shown, last, now, zone, why) => {
    const [shownAt, lastReviewedAt, at] = [shown, last, now].map(
      (time) => time && new Date(`${time}Z`),
    );
    const note = { shownAt: shownAt as Date, lastReviewedAt: lastReviewedAt as Date | null };
    expect(reviewSkip(note, at as Date, zone)).toBe(why);
  });

  it('the forgetting curve has one point per day', () => {
    const curve = decayOf(memory, later(1), 3);
    expect(curve.map(({ day, at }) => [day, at])).toEqual(
      [0, 1, 2, 3].map((day) => [day, later(1 + day)]),
    );
    for (const { at, retrievability: likely } of curve) {
      expect(likely).toBe(retrievability(memory, AT, at));
    }
  });
});
