import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../src/domain/facts/fact.ts';
import { brief, extract, facts } from './said.ts';

describe('facts in answers to a question', () => {
  it.each([
    ['How old are you?', '33', '+ profile:age = 33'],
    ['And where do you live?', 'Szolnok', '+ profile:city = Szolnok'],
    ['What do you do for a living?', 'a locksmith', '+ profile:occupation = locksmith'],
    ['Are you vegetarian?', 'yes', '+ constraint:diet:vegetarian = vegetarian'],
    ['It depends where you live.', 'Szolnok', '+ profile:city = Szolnok'],
    ['Do you mean the one in Szolnok?', 'yes, I live there', '+ profile:city = Szolnok'],
    ['Your record says you live in Eger.', "I'm in Vác now", '+ profile:city = Vác'],
    ['Do you have any allergies?', 'just celery', '+ constraint:allergy:celery = celery'],
  ])('"%s" answered with "%s" gives a fact', (question, answer, fact) => {
    expect(facts(['ASSISTANT', question], answer)).toEqual([fact]);
  });

  it('an answer to two questions gives two facts', () => {
    expect(
      facts(['ASSISTANT', 'Can I take your name and date of birth?'], 'Réka Toth, 4 May 1980'),
    ).toEqual(['+ profile:name = Réka Toth', '+ profile:birthday = 4 May 1980']);
  });

  it('an answer that states a choice for one occasion gives no fact', () => {
    expect(facts(['ASSISTANT', 'What type of food would you like?'], 'I like Thai food')).toEqual(
      [],
    );
    expect(facts(['ASSISTANT', 'What do you do for fun?'], 'nice, you ask too')).toEqual([]);
  });

  it.each(['why do you ask?', 'depends', 'not telling'])(
    'the evasive answer %j gives no fact',
    (answer) => {
      expect(facts(['ASSISTANT', 'How old are you?'], answer)).toEqual([]);
    },
  );
});

describe('corrections of known facts', () => {
  const city: StoredFact = {
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
  ])('"%s" is recognized as %s of the known fact', (text, action, isCorrection) => {
    expect(extract([text], [city])).toMatchObject([{ action, isCorrection, factId: 'f1' }]);
  });

  it('a correction within one message gives only the corrected fact', () => {
    expect(facts('I live in Eger, no wait, Vác')).toEqual(['+ profile:city = Vác']);
    expect(facts("I'm 19. Wait, no, 20 since last week.")).toEqual(['+ profile:age = 20']);
    expect(facts("I'm not in Eger, I live in Vác")).toEqual(['+ profile:city = Vác']);
  });

  it('a correction without a subject takes its subject from the turn before', () => {
    const found = extract(['my number is 061 555 0100', "oops, it's 061 555 0101"], [], 1);
    expect(found.map(brief)).toEqual(['+ profile:phone = 061 555 0101']);
  });

  it('a switch from one tool to another updates the fact about the former tool', () => {
    const krita: StoredFact = {
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

describe('names that are asked or corrected', () => {
  it.each([
    ['Is my dog named Rex?'],
    ["Is my dog named Rex? No, it's Max.", '+ profile:pet:max:species = dog'],
    ["Isn't my cat called Mia?"],
    ['Is my boss Tom or Tim?'],
    ['Did I name my dog Rex?'],
    ['Can my dog Rex eat grapes?', '+ profile:pet:rex:species = dog'],
    ['Is my sister Anna coming?', '+ person:anna:relation = sister'],
    ["My husband's name is not Tom, it's Tim.", '+ person:tim:relation = husband'],
    ["My sister's name is not Anna but Hanna", '+ person:hanna:relation = sister'],
  ])('"%s" introduces only who is stated', (text, ...expected) => {
    expect(facts(text)).toEqual(expected);
  });

  it.each([
    [["My husband's name is not Tom, it's Tim."], 0],
    [["My husband's name is Tom.", 'I meant Tim, not Tom.'], 1],
  ])('%j replaces the wrong name', (talk, contextTurns) => {
    const tom: StoredFact = {
      id: 'f1',
      category: 'RELATIONSHIP',
      key: 'person:tom:relation',
      value: 'husband',
      statement: "Tom is the user's husband.",
      polarity: 'POSITIVE',
    };
    expect(extract(talk, [tom], contextTurns)).toMatchObject([
      { action: 'UPDATE', factId: 'f1', key: 'person:tim:relation', isCorrection: true },
    ]);
  });
});
