import { describe, expect, it } from 'vitest';
import { isEnglish } from '../../../../src/language/en/is-english.ts';
import { plainText } from '../../../../src/reasoner/extractive/text/clean-text.ts';
import { sentencesOf, splitSentences } from '../../../../src/reasoner/extractive/text/sentences.ts';
import { talk } from '../talk.ts';

describe('splitSentences', () => {
  it.each([
    ['I met Dr. Smith. He was late.', ['I met Dr. Smith.', 'He was late.']],
    ['It starts at 5 p.m. on Friday.', ['It starts at 5 p.m. on Friday.']],
    [
      'Use a linter, e.g. the fast one. Then commit.',
      ['Use a linter, e.g. the fast one.', 'Then commit.'],
    ],
    ['the door was dusted. the camera saw it', ['the door was dusted.', 'the camera saw it']],
    ['one\ntwo', ['one', 'two']],
    ['It costs 3.50 euros.', ['It costs 3.50 euros.']],
    ['...', []],
  ])('splitSentences splits %j into sentences', (text, parts) => {
    expect(splitSentences(text)).toEqual(parts);
  });
});

it('a very long sentence is split into pieces that end with a whole word', () => {
  const parts = splitSentences('so we went on and on '.repeat(100));
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) expect(part).toMatch(/^\w.{0,499}(?:so|we|went|on|and)$/);
});

describe('plainText', () => {
  it('plainText removes code, addresses, captions, markup and emoji', () => {
    const text =
      'Try **this** 🎉 [a photo of a cat]:\n```js\nrun();\n```\n- see https://example.org/x now :)';
    expect(plainText(text)).toBe('Try this:\nsee now');
  });
});

describe('isEnglish', () => {
  it.each([
    ['We went to the lake and it was cold.', true],
    ['Wir waren gestern am See und es war kalt.', false],
    ['Nous sommes allés au lac hier soir.', false],
    ['昨日は湖に行きました。', false],
    ['Да, вчера мы были на озере.', false],
  ])('%j is English: %s', (text, english) => {
    expect(isEnglish(text)).toBe(english);
  });
});

describe('sentencesOf', () => {
  it('sentencesOf leaves out greetings, thanks, reactions, tools and offers of help', () => {
    const turns = talk([
      'Maya: Hey Tom! How are you?',
      "Tom: That's awesome, Maya! The ferry leaves at nine.",
      'tool: {"status": 200}',
      'Maya: Thanks so much!',
      'assistant: Is there anything else I can help you with?',
    ]);
    expect(sentencesOf(turns).map(({ text, turn }) => [turn, text])).toEqual([
      [1, 'The ferry leaves at nine.'],
    ]);
  });

  it.each(['Hello!', '🎉', 'ok thanks', 'https://example.org/a'])(
    'sentencesOf finds no sentence in %j',
    (text) => {
      expect(sentencesOf(talk([`user: ${text}`]))).toEqual([]);
    },
  );

  it('sentencesOf uses the output of tools when nobody spoke', () => {
    const said = sentencesOf(talk(['tool: The ferry to Voss leaves at nine.']));
    expect(said.map(({ text }) => text)).toEqual(['The ferry to Voss leaves at nine.']);
  });
});
