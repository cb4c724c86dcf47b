import { describe, expect, it } from 'vitest';
import {
  entityMatch,
  keywordMatch,
  recencyScore,
  talkOf,
  termWeigher,
  topicMatch,
} from '../../../src/domain/links/linking-parts.ts';

const said = (...texts: string[]) => talkOf(texts, []);
const plain = termWeigher(0, new Map());
const vectors = (...rows: number[][]) =>
  talkOf(
    [],
    rows.map((row) => Float32Array.from(row)),
  );

describe('keyword: idf-weighted overlap', () => {
  const keyword = (a: string, b: string, telling = plain) =>
    keywordMatch(said(a), said(b), telling);

  it('the keyword part rises with shared words, from below one half to 1', () => {
    const chances = [
      'My parrot needs a bigger cage.',
      'Is there a flat with a balcony?',
      'Is there a flat with a kitchen in Cedofeita?',
    ].map((text) => keyword('We look for a flat with a kitchen in Cedofeita.', text) ?? 0);
    expect(chances).toEqual([...chances].sort());
    expect(chances[0]).toBeLessThan(0.3);
    expect(chances[2]).toBeGreaterThan(0.95);
  });

  it('a word that occurs in all of the user’s threads weighs less', () => {
    const often = termWeigher(100, new Map([['flat', 90]]));
    const [a, b] = ['The flat has a balcony.', 'A flat with a garden.'];
    expect(keyword(a, b, often) ?? 1).toBeLessThan(keyword(a, b) ?? 0);
  });

  it.each([
    ['Oh, and what is it on Thursday?', "What's the weather in New York?"],
    ['Thanks!', 'We look for a flat.'],
    ['', 'We look for a flat.'],
  ])('the keyword part is left out if a side has no informative word: %j', (a, b) => {
    expect([keyword(a, b), keyword(b, a)]).toEqual([null, null]);
  });
});

describe('entity: overlap of normalised names', () => {
  const entity = (a: string, b: string) => entityMatch(said(a), said(b));

  it.each([
    ['Will it rain in New York?', 'Flights to NEW YORK, please.', 0.9, 1],
    ['Is it in New York?', "We saw York's minster.", 0.85, 1],
    ['Table for two at 19:30 in Porto', 'The train to Lisbon leaves at 08:05', 0.3, 0.45],
    ['See you on Thursday, says Ada', 'On Thursday then, says Bob', 0.85, 1],
  ])('the entity part is right for %j and %j', (a, b, least, most) => {
    expect(entity(a, b)).toBeGreaterThan(least);
    expect(entity(a, b)).toBeLessThanOrEqual(most);
  });

  it('the entity part is left out if a side names nothing, or only another time', () => {
    expect(entity('what about tomorrow?', 'is it far to New York?')).toBeNull();
    expect(entity('what about it?', 'how far is it?')).toBeNull();
  });
});

describe('topic: nearness of vectors', () => {
  it('the topic part is the mean best match both ways, calibrated', () => {
    const same = topicMatch(vectors([1, 0], [0, 1]), vectors([1, 0], [0, 1]), 0.494);
    const half = topicMatch(vectors([1, 0], [0, 1]), vectors([1, 0]), 0.494);
    const other = topicMatch(vectors([1, 0]), vectors([0, 1]), 0.494);
    expect(same).toBeGreaterThan(0.99);
    expect(half).toBeLessThan(same ?? 0);
    expect(other).toBeLessThan(0.02);
  });

  it('cosines are scaled by the threshold in the embedding profile', () => {
    const at = (cosine: number) => vectors([cosine, Math.sqrt(1 - cosine ** 2)]);
    const [built, wide] = [0.494, 0.8].map((novelty) =>
      topicMatch(vectors([1, 0]), at(novelty), novelty),
    );
    expect(wide).toBeCloseTo(built ?? 0, 3);
  });

  it('the topic part is left out without vectors', () => {
    expect(topicMatch(said('a flat'), vectors([1, 0]), 0.494)).toBeNull();
  });
});

describe('recency: exponential over the window', () => {
  it.each([
    [0, 1],
    [12, Math.exp(-0.5)],
    [24, Math.exp(-1)],
    [24 * 30, 0],
  ])('recency %d hours later is %d', (hours, score) => {
    const at = (hour: number) => new Date(hour * 3_600_000);
    expect(recencyScore(at(0), at(hours), 24)).toBeCloseTo(score, 3);
    expect(recencyScore(at(hours), at(0), 24)).toBe(1);
  });
});
