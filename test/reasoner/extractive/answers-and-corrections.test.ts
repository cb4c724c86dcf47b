import { describe, expect, it } from 'vitest';
import type { KnownFact } from '../../../src/domain/fact.ts';
import { brief, extract, facts } from './said.ts';

describe('answers', () => {
  it.each([
    ['How old are you?', '33', '+ profile:age = 33'],
    ['And where do you live?', 'Szolnok', '+ profile:city = Szolnok'],
    ['What do you do for a living?', 'a locksmith', '+ profile:occupation = locksmith'],
    ['Are you vegetarian?', 'yes', '+ constraint:diet:vegetarian = vegetarian'],
    ['Do you have any allergies?', 'just celery', '+ constraint:allergy:celery = celery'],
  ])('%s %s', (question, answer, fact) => {
    expect(facts(['ASSISTANT', question], answer)).toEqual([fact]);
  });

  it.each(['why do you ask?', 'depends', 'not telling'])('none in %j', (answer) => {
    expect(facts(['ASSISTANT', 'How old are you?'], answer)).toEqual([]);
  });
});

describe('corrections', () => {
  const city: KnownFact = {
    id: 'f1',
    category: 'IDENTITY',
    key: 'profile:city',
    value: 'Eger',
    statement: 'The user lives in Eger.',
    polarity: 'POSITIVE',
  };

  it.each([
    ['I live in Eger', 'REINFORCE', false],
    ['I live in Vác now', 'UPDATE', true],
    ['I no longer live in Eger, sadly', 'INVALIDATE', true],
  ])('%s: %s', (text, action, isCorrection) => {
    expect(extract([text], [city])).toMatchObject([{ action, isCorrection, factId: 'f1' }]);
  });

  it('takes what was meant', () => {
    expect(facts('I live in Eger, no wait, Vác')).toEqual(['+ profile:city = Vác']);
    expect(facts("I'm not in Eger, I live in Vác")).toEqual(['+ profile:city = Vác']);
  });

  it('completes a bare correction by what was said before', () => {
    const found = extract(['my number is 061 555 0100', "oops, it's 061 555 0101"], [], 1);
    expect(found.map(brief)).toEqual(['+ profile:phone = 061 555 0101']);
  });

  it('lets a tool take the place of another', () => {
    const krita: KnownFact = {
      ...city,
      id: 'f2',
      category: 'PREFERENCE',
      key: 'preference:krita',
      value: 'Krita',
    };
    expect(extract(["I've switched from Krita to Inkscape"], [krita])).toMatchObject([
      { action: 'UPDATE', factId: 'f2', key: 'preference:inkscape', isCorrection: true },
    ]);
  });
});
