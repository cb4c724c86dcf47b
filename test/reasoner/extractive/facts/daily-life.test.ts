import { describe, expect, it } from 'vitest';
import { extract, facts } from '../said.ts';

const statements = (text: string) => extract([text]).map(({ statement }) => statement);

describe('what the days of the user are like', () => {
  it.each([
    [
      'I take 50mg of sertraline every morning.',
      'The user takes 50mg of sertraline every morning.',
    ],
    ["I'm on 20 mg fluoxetine", 'The user takes 20 mg fluoxetine.'],
    ['i take ramipril for my heart', 'The user takes ramipril for their heart.'],
    ['I was prescribed apixaban last week', 'The user takes apixaban.'],
    ['my blood type is O negative', "The user's blood type is O negative."],
    ['My blood group is AB+.', "The user's blood type is AB+."],
    ['i wear glasses', 'The user wears glasses.'],
    ['I live alone.', 'The user lives alone.'],
    ['I live on my own, so small portions', 'The user lives on their own.'],
    ['I still live with my parents', 'The user lives with their parents.'],
    ['I live with two flatmates', 'The user lives with two flatmates.'],
    ["We're expecting our second in March!", 'The user is expecting their second.'],
    ["I'm 34 weeks pregnant", 'The user is pregnant.'],
    ["We're getting married on June 12th", 'The user is getting married on June 12th.'],
    ["I'm a practising Catholic", 'The user is Catholic.'],
    ["I'm Muslim, so no pork please", 'The user is Muslim.'],
    ["I don't celebrate Christmas.", 'The user does not celebrate Christmas.'],
    ['I only drink decaf', 'The user only drinks decaf.'],
    ['I run about 30k a week', 'The user runs about 30k a week.'],
    ['I swim 40 lengths every morning', 'The user swims 40 lengths every morning.'],
    [
      'I go to the gym on Tuesdays and Thursdays',
      'The user goes to the gym on Tuesdays and Thursdays.',
    ],
    ['I go to yoga twice a week', 'The user goes to yoga twice a week.'],
    ['i usually wake up at 5', 'The user usually wakes up at 5.'],
    ['I usually go to bed around 10 pm', 'The user usually goes to bed around 10 pm.'],
    ['i drive a 2014 honda civic', 'The user drives a honda civic.'],
    ['I drive a tesla and charge at home', 'The user drives a tesla.'],
    ['I rent a small flat in Kreuzberg', 'The user lives in Kreuzberg.'],
  ])('"%s" is learned', (text, statement) => {
    expect(statements(text)).toContain(statement);
  });

  it.each([
    'I take 200 g of flour',
    'I take the train every morning',
    'I take April off',
    'Do I take ramipril with food?',
    'What is my blood type?',
    'I wear glasses today because my contacts hurt',
    'I live with the consequences',
    'I live with a constant headache',
    "We're expecting our second delivery on Monday",
    "We're expecting a call",
    "We're getting married couples to sign up",
    "I don't celebrate early",
    'I only drink when I am out',
    'I only eat half of it',
    'I only read the first page',
    'I run 30 tests a day',
    'I go to the gym tomorrow',
    'I go to work every day',
    'I usually start at the beginning',
    'I usually get up to no good',
    'I drive a hard bargain',
    'I drive a lot to Ford dealers',
    'I rented a car in Lyon',
  ])('"%s" says nothing of them', (text) => {
    expect(statements(text).filter((one) => one.startsWith('The user'))).toEqual([]);
  });

  it.each([
    ['I no longer take metformin.', 'The user no longer takes metformin.'],
    ["I don't take metformin anymore", 'The user no longer takes metformin.'],
    ["I don't take metformin.", 'The user does not take metformin.'],
  ])('"%s" ends a drug that was taken', (text, statement) => {
    const known = extract(['I take metformin.']).map((fact) => ({ ...fact, id: '1' }));
    expect(extract([text], known)).toMatchObject([{ action: 'INVALIDATE', statement }]);
  });
});

describe('places and dates', () => {
  it.each([
    ['i moved in with my boyfriend', 'profile:city'],
    ['We moved in together last month', 'profile:city'],
  ])('"%s" names no %s', (text, key) => {
    expect(facts(text).join()).not.toContain(key);
  });

  it('the year in which a habit ended is no scope of it', () => {
    expect(facts('I quit smoking in 2020')).toEqual(['- constraint:avoid:smoking = smoking']);
    expect(statements('I quit smoking in 2020')).toEqual(['The user does not smoke.']);
  });

  it('a birthplace is read after the year', () => {
    expect(facts('I was born in 1988 in Lyon')).toContain('+ profile:hometown = Lyon');
  });

  it('to whom emojis are sent is no part of them', () => {
    expect(facts("Don't ever use emojis with me")).toEqual(['- instruction:emoji = emojis']);
  });
});
