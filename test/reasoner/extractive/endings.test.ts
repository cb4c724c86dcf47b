import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../src/domain/facts/fact.ts';
import { brief, extract } from './said.ts';

const fact = (key: string | null, value: string, statement: string): StoredFact => ({
  id: value,
  category: key === null ? 'RELATIONSHIP' : 'IDENTITY',
  key,
  value,
  statement,
  polarity: 'POSITIVE',
});

/** What is known before each talk. */
const known = [
  fact('profile:employer', 'Google', 'The user works at Google.'),
  fact('person:son:allergy', 'milk', "The user's son is allergic to milk."),
  { ...fact(null, 'pregnant', 'The user is pregnant.'), category: 'CONSTRAINT' as const },
  fact('person:kim:relation', 'girlfriend', "Kim is the user's girlfriend."),
  fact('profile:pet:biscuit:species', 'dog', "Biscuit is the user's dog."),
  fact('profile:pet:biscuit:breed', 'beagle', 'Biscuit is a beagle.'),
];
const learned = (text: string, before = known) => extract([text], before).map(brief);
const marriage = [
  fact('person:laura:relation', 'spouse', 'The user is married to Laura.'),
  fact(null, 'married', 'The user is married.'),
];

describe('the end of a job', () => {
  it.each([
    'I quit my job at Google yesterday.',
    'I left Google last month.',
    'I resigned from Google.',
    'I left Google in 2024.',
    'I quit my job last week.',
    "I've resigned.",
    'I was laid off on Friday, so I have time.',
  ])('"%s" ends the known employment', (text) => {
    expect(learned(text)).toEqual(['- profile:employer = Google']);
  });

  it.each([
    'I left my keys at Google yesterday.',
    'I left my job at Herend years ago.',
    'I left Boston last month.',
    'I quit my second job.',
  ])('"%s" does not end it', (text) => {
    expect(learned(text).join()).not.toContain('employer');
  });
});

describe('the end of a condition', () => {
  it.each([
    ["My son isn't allergic to milk anymore.", '- person:son:allergy = milk'],
    ['My son is no longer allergic to milk', '- person:son:allergy = milk'],
    ['My son has outgrown his milk allergy', '- person:son:allergy = milk'],
    ['My niece is no longer allergic to eggs', '- person:niece:allergy = eggs'],
    ["I'm not pregnant anymore", '- CONSTRAINT = pregnant'],
    ["I'm no longer diabetic", '- CONSTRAINT = diabetic'],
    ['I had a miscarriage.', '- CONSTRAINT = pregnant'],
    ['I gave birth to a girl last week', '- CONSTRAINT = pregnant'],
    ['We had our baby on Friday!', '- CONSTRAINT = pregnant'],
  ])('"%s" is learned', (text, fact) => {
    expect(learned(text)).toEqual([fact]);
  });

  it.each([
    "My son isn't allergic to nuts",
    'I had a miscarriage years ago',
    'I had a baby sister',
  ])('"%s" ends nothing', (text) => {
    expect(extract([text], known).filter(({ polarity }) => polarity === 'NEGATIVE')).toEqual([]);
  });

  it('a birth says nothing of a pregnancy that is not known', () => {
    expect(extract(['I had a baby in 2015']).map(brief)).not.toContain('- CONSTRAINT = pregnant');
  });
});

describe('the end of a relation', () => {
  it.each([
    'Kim and I broke up.',
    'My girlfriend and I split up last week',
    'My girlfriend Kim and I have broken up',
    'I broke up with Kim yesterday.',
    'We separated in March.',
    'Kim dumped me.',
  ])('"%s" ends the partnership', (text) => {
    expect(learned(text)).toContain('- person:kim:relation = girlfriend');
    expect(learned(text)).not.toContain('+ person:kim:relation = girlfriend');
  });

  it.each([
    'I broke up with sugar',
    'We split up into groups',
    'Sam and I broke up',
    'Kim and I split the bill',
    'My boss dumped me',
  ])('"%s" does not end it', (text) => {
    expect(learned(text)).not.toContain('- person:kim:relation = girlfriend');
  });

  it.each(['Laura and I divorced in 2020.', 'I got divorced last month.', 'I divorced Laura'])(
    '"%s" ends a marriage',
    (text) => {
      expect(learned(text, marriage)).toEqual([
        '- person:laura:relation = spouse',
        '- RELATIONSHIP = married',
        '+ RELATIONSHIP = divorced',
      ]);
    },
  );
});

it.each([
  'Biscuit passed away yesterday.',
  'My dog Biscuit died last week',
  'My dog died.',
  'We had to put Biscuit down',
  'Biscuit was put to sleep on Monday',
])('"%s" leaves what is known of the animal in the past', (text) => {
  const statements = extract([text], known).map(({ action, statement }) => [action, statement]);
  expect(statements).toEqual([
    ['INVALIDATE', "Biscuit, the user's dog, has died."],
    ['INVALIDATE', 'Biscuit was a beagle.'],
  ]);
});
