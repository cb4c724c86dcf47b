import { describe, expect, it } from 'vitest';
import {
  factKey,
  isSameSubject,
  keyPart,
  normalValue,
  personKeyOf,
  subjectOf,
} from '../../../src/domain/facts/fact-key.ts';
import { singular } from '../../../src/language/en/nouns.ts';

describe('keys of facts', () => {
  it.each([
    ['the Horror films', 'horror_film'],
    ['Fridays', 'friday'],
    ['peaches', 'peach'],
    ['board games', 'board_games'],
    ['Emacs', 'emacs'],
    ['C++', 'c++'],
    ['Zoë', 'zoë'],
    ["crème brûlée's", 'crème_brûlée'],
    ['…', ''],
    [`a${'𐌰'.repeat(45)}`, `a${'𐌰'.repeat(39)}`],
  ])('keyPart makes a part of a key from %j', (object, part) => {
    expect(keyPart(object)).toBe(part);
  });

  it.each([
    ['cherries', 'cherry'],
    ['dishes', 'dishes'],
    ['boxes', 'box'],
    ['octopuses', 'octopus'],
    ['houses', 'house'],
    ['children', 'child'],
    ['chess', 'chess'],
    ['bus', 'bus'],
  ])('keyPart puts %j in the singular', (plural, one) => {
    expect(singular(plural)).toBe(one);
  });

  it.each([
    ['favorite color', 'favourite colour'],
    ['gray neighbors', 'grey neighbours'],
    ['movie theaters', 'movie theatres'],
    ['organizing parties', 'organising parties'],
    ['flavored tea', 'flavoured tea'],
  ])('the key of %j is that of the British spelling', (american, spelled) => {
    expect(factKey('preference', american)).toBe(factKey('preference', spelled));
  });

  it.each(['prize', 'resize', 'hour', 'doctor', 'water', 'razor', 'horizon'])(
    'the key of %j keeps its spelling',
    (word) => {
      expect(factKey('preference', word)).toBe(`preference:${word}`);
    },
  );

  it('a key is null if nothing is left of the object', () => {
    expect(factKey('preference', '!?')).toBeNull();
    expect(factKey('profile:pet', 'Luna', 'age')).toBe('profile:pet:luna:age');
  });

  it('normalValue ignores case, accents, articles and plurals', () => {
    expect(normalValue('The Olives')).toBe(normalValue('olive'));
    expect(normalValue('Málaga.')).toBe('malaga');
  });

  it('personKeyOf returns the parts of a person’s key', () => {
    expect(personKeyOf('person:rosa:age')).toEqual({ who: 'rosa', attribute: 'age' });
    expect(personKeyOf('profile:age')).toBeNull();
  });
});

describe('what two facts are about', () => {
  const told = (category: string, key: string | null, value: string) => ({ category, key, value });

  it.each([
    [
      'one key',
      told('IDENTITY', 'profile:city', 'Rome'),
      told('IDENTITY', 'profile:city', 'Bari'),
      true,
    ],
    [
      'two things liked',
      told('PREFERENCE', 'preference:a', 'a'),
      told('PREFERENCE', 'preference:b', 'b'),
      false,
    ],
    [
      'a pastime and the like of it',
      told('INTEREST', 'interest:rowing', 'rowing'),
      told('PREFERENCE', 'preference:rowing', 'rowing'),
      true,
    ],
    [
      'diets that exclude each other',
      told('CONSTRAINT', 'constraint:diet:vegan', 'vegan'),
      told('CONSTRAINT', 'constraint:diet:vegetarian', 'vegetarian'),
      true,
    ],
    [
      'diets that do not',
      told('CONSTRAINT', 'constraint:diet:vegan', 'vegan'),
      told('CONSTRAINT', 'constraint:diet:halal', 'halal'),
      false,
    ],
    [
      'the same value without a key',
      told('GOAL', null, 'a boat'),
      told('GOAL', null, 'the boat'),
      true,
    ],
    [
      'the same value in another category',
      told('GOAL', null, 'a boat'),
      told('EXPERIENCE', null, 'a boat'),
      false,
    ],
  ])('two facts are about the same subject, or not: %s', (_name, one, other, same) => {
    expect(isSameSubject(subjectOf(one), subjectOf(other))).toBe(same);
    expect(isSameSubject(subjectOf(other), subjectOf(one))).toBe(same);
  });
});
