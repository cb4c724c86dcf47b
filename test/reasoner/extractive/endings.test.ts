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
    'Kim left me.',
    'Kim left me for someone else',
    'My girlfriend left me last month',
    'Me and my girlfriend split up.',
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
    "I'm not with Vodafone anymore",
    "I'm not together with Tom anymore",
    "I'm not with you there",
    'Kim left me a note',
    'Kim left me in charge',
    'Kim left me alone',
    'Kim left me the house',
    'Kim left me waiting',
    'Kim left me for a week',
  ])('"%s" does not end it', (text) => {
    expect(learned(text)).not.toContain('- person:kim:relation = girlfriend');
  });

  it.each([
    'tarek and i broke up',
    'Tarek and I broke up last month',
    'Me and Tarek broke up',
    'I broke up with Tarek.',
  ])('"%s" tells of a former partner', (text) => {
    expect(extract([text]).map(({ statement }) => statement)).toEqual([
      "Tarek is no longer the user's partner: they broke up.",
    ]);
  });

  it.each([
    'My friend and I broke up',
    'Me and my friend broke up',
    'Jo and Tarek broke up',
    'Jo, Tarek and I broke up',
    'The band and I broke up',
    'The band broke up',
    'Coffee and I broke up',
    'I broke up with gluten',
    'Tarek and I broke up for the holidays',
    'Tarek and I broke up the fight',
  ])('"%s" tells of no former partner', (text) => {
    expect(extract([text]).filter(({ polarity }) => polarity === 'NEGATIVE')).toEqual([]);
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

describe('the death of a person', () => {
  const friend = [
    fact('person:ola:relation', 'friend', "Ola is the user's friend."),
    fact('person:ola:city', 'Perth', 'Ola lives in Perth.'),
    fact('person:ola:occupation', 'chef', 'Ola works as a chef.'),
    fact('person:ola:allergy', 'nuts', 'Ola is allergic to nuts.'),
    fact('person:ola:age', '70', 'Ola is 70 years old.'),
    fact('person:ola:birthday', '3 May', 'Ola has a birthday on 3 May.'),
  ];

  it('leaves who they were, and the rest in the past', () => {
    const read = extract(['Ola died yesterday'], friend);
    expect(read.map(({ action, statement }) => [action, statement])).toEqual([
      ['NEW', "Ola, the user's friend, has died."],
      ['INVALIDATE', 'Ola lived in Perth.'],
      ['INVALIDATE', 'Ola worked as a chef.'],
      ['INVALIDATE', 'Ola was allergic to nuts.'],
      ['INVALIDATE', 'Ola was 70 years old.'],
    ]);
    expect(read[0]).toMatchObject({ key: 'person:ola:death', importance: 0.9 });
  });

  it.each([
    ['my dad passed away last month', "The user's dad has died."],
    ['My grandma died when I was 12', "The user's grandma has died."],
    ['My husband has died.', "The user's husband has died."],
    ['we lost my uncle to cancer in 2019', "The user's uncle has died."],
    ['We lost my uncle in 2019', "The user's uncle has died."],
    ['I lost my mum last year.', "The user's mum has died."],
    ['my mum passed', "The user's mum has died."],
    ['My dad died of a heart attack', "The user's dad has died."],
    ['My nan, who died in May, loved tea', "The user's nan has died."],
  ])('"%s" is learned', (text, statement) => {
    expect(extract([text], []).map((found) => found.statement)).toEqual([statement]);
  });

  it.each([
    'my brother died laughing',
    'my brother nearly died',
    'my brother died 3 times',
    "my sister's phone died",
    "My dad's boss died last week",
    'My dad told me about his boss. He died last month.',
    'my friend died in the game',
    'My friend died, so we lost the match',
    'my mum will die when she sees this',
    'my mum died lol, you should have seen her',
    'my mum died of embarrassment',
    'my dad died inside',
    'my brother is dead to me',
    'my dad passed the exam',
    'my mum passed, so no more driving lessons',
    'my son passed!',
    'Did my dad die?',
    'we lost my uncle at the airport',
    'we lost my uncle in the crowd',
    'We lost our manager last month',
    'I lost my girlfriend to my best friend',
  ])('"%s" tells of none', (text) => {
    expect(extract([text], []).map(({ key }) => key)).not.toContainEqual(
      expect.stringContaining(':death'),
    );
  });
});
