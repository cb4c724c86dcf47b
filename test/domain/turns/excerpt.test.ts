import { expect, it } from 'vitest';
import { excerpt, questionIn } from '../../../src/domain/turns/excerpt.ts';

const TEXT =
  'The roof is done. The plumber comes on Friday at nine. We still need tiles. Call Ben about the bill.';

it.each([
  ['an excerpt of a short text is the whole text', TEXT, 'When does the plumber come?', 200, TEXT],
  [
    'an excerpt of a longer text is what shares words with the message',
    TEXT,
    'When does the plumber come?',
    42,
    '… The plumber comes on Friday at nine. …',
  ],
  [
    'the sentences of an excerpt stay in their order',
    TEXT,
    'tiles and the plumber',
    66,
    '… The plumber comes on Friday at nine. We still need tiles. …',
  ],
  [
    'an excerpt that shares no word with the message is the beginning of the text',
    TEXT,
    'dentist',
    30,
    'The roof is done. …',
  ],
  [
    'a sentence that is too long for an excerpt is cut',
    'one two three four five',
    'x',
    10,
    'one two th…',
  ],
])('%s', (_, text, message, most, shown) => {
  expect(excerpt(text, message, most)).toBe(shown);
});

it('an excerpt of a very long text takes a moment only', () => {
  const long = '. '.repeat(500_000);
  expect(excerpt(long, 'x', 100).length).toBeLessThanOrEqual(101);
});

it('an earlier question is quoted without the letter around it', () => {
  const letter = `Dear all. ${'The roof is done. '.repeat(60)} Who pays the plumber? Best regards.`;
  expect(questionIn(letter, 160)).toBe('Who pays the plumber?');
  expect(questionIn('And who pays?', 160)).toBe('And who pays?');
  expect(questionIn(`Who ${'really '.repeat(60)}pays?`, 20)).toBe('Who really really re…');
});

it('excerpts and questions have whole letters', () => {
  const text = '😀'.repeat(3_000);
  expect(excerpt(text, 'Hello', 101)).toBe(`${'😀'.repeat(50)}…`);
  expect(questionIn(text, 101)).toBe(`${'😀'.repeat(50)}…`);
});
