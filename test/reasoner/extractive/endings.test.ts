import { describe, expect, it } from 'vitest';
import type { StoredFact } from '../../../src/domain/facts/fact.ts';
import { brief, extract } from './said.ts';

/** What is known before each talk: a key or category, and a value. */
const KNOWN = [['profile:employer', 'Google']] as const;
const known = KNOWN.map(
  ([key, value], at): StoredFact => ({
    id: `f${at}`,
    category: key.includes(':') ? 'IDENTITY' : 'RELATIONSHIP',
    key: key.includes(':') ? key : null,
    value,
    statement: `${value}.`,
    polarity: 'POSITIVE',
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
