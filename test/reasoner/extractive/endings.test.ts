import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../src/domain/facts/fact.ts';
import { brief, extract } from './said.ts';

/** What is known before each talk. */
const KNOWN: Pick<StoredFact, 'category' | 'key' | 'value'>[] = [
  { category: 'IDENTITY', key: 'profile:employer', value: 'Google' },
  { category: 'RELATIONSHIP', key: 'person:son:allergy', value: 'milk' },
  { category: 'CONSTRAINT', key: null, value: 'pregnant' },
];
const known = KNOWN.map(
  (fact, at): StoredFact => ({
    id: `f${at}`,
    statement: `${fact.value}.`,
    polarity: 'POSITIVE',
    ...fact,
  }),
);
const learned = (text: string) => extract([text], known).map(brief);

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
