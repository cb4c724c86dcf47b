import { describe, expect, it } from 'vitest';
import {
  queryFormsOf,
  queryTermsOf,
  termsOf,
  wordCount,
} from '../../../src/language/text/terms.ts';

describe('termsOf', () => {
  it.each([
    ['drops function words', 'What is it that they were at?', []],
    ['undoes suffixes', 'Painting paints painted', ['paint']],
    ['undoes irregular verbs', 'She went and bought, then gone', ['go', 'buy']],
    ['undoes irregular nouns', 'children women mice', ['child', 'woman', 'mous']],
    ['reads contractions with either apostrophe', "I don't can’t they’ll Ann's", ['ann']],
    ['folds accents and width', 'Café ＣＡＦＥ naïve', ['cafe', 'naiv']],
    ['keeps digits', 'Room 101, on the 2nd at 10:30', ['room', '101', '2nd', '10', '30']],
    ['ignores brackets of captions', '[a photo of a dog]', ['photo', 'dog']],
    ['pairs Chinese characters', '北京大学', ['北京', '京大', '大学']],
    ['keeps a single character', '猫', ['猫']],
    ['splits mixed scripts', 'iPhone手机壳', ['iphon', '手机', '机壳']],
    ['pairs Japanese', '東京に', ['東京', '京に']],
    ['keeps Korean words', '서울에 갔어요', ['서울에', '갔어요']],
    ['finds Thai words', 'ฉันไปตลาด', ['ฉัน', 'ไป', 'ตลาด']],
    ['keeps Cyrillic words', 'Привет, дела?', ['привет', 'дела']],
    ['keeps combined Devanagari words', 'हिन्दी में', ['हिन्दी', 'में']],
    ['finds nothing in signs', '?! … 🙂', []],
    ['finds nothing in nothing', '', []],
  ])('termsOf finds the terms of a text: %s', (_, text, terms) => {
    expect([...termsOf(text).keys()]).toEqual(terms);
  });

  it('termsOf counts all forms of a word as one term', () => {
    expect(termsOf('Run, ran, running: the dog runs')).toEqual(
      new Map([
        ['run', 4],
        ['dog', 1],
      ]),
    );
  });

  it('termsOf cuts terms that are too long for an index key', () => {
    expect([...termsOf('x'.repeat(5000)).keys()][0]).toHaveLength(64);
  });

  it.each(['猫が好き', 'went swimming', 'Café'])(
    'query terms and text terms are the same for "%s"',
    (text) => {
      expect(queryTermsOf(text)).toEqual([...termsOf(text).keys()]);
    },
  );
});

it.each([
  ['of 46 letters', 45],
  ['of 101 letters, which is not stemmed', 100],
])('the term of a word beyond the basic plane %s has whole letters', (_, count) => {
  const [term = ''] = termsOf(`a${'𐌰'.repeat(count)}`).keys();
  expect(term).toBe(`a${'𐌰'.repeat(31)}`);
});

describe('queryTermsOf', () => {
  it('queryTermsOf lists each term once, in order', () => {
    expect(queryTermsOf('dog cat dogs bird')).toEqual(['dog', 'cat', 'bird']);
  });

  it('queryTermsOf returns at most 64 terms', () => {
    const many = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ');
    expect(queryTermsOf(many)).toHaveLength(64);
  });
});

describe('wordCount', () => {
  it.each([
    ['', 0],
    ["I don't know.", 3],
    ['北京大学', 3],
    ['one, two -- three', 3],
  ])('%j has %i words', (text, count) => {
    expect(wordCount(text)).toBe(count);
  });
});

it.each([
  ['Who sold the café?', ['sold sell', 'café cafe']],
  ['What is it?', []],
  ["Luna's mice", ['luna', 'mice mouse']],
])('queryFormsOf lists the forms in which a text may contain the words of "%s"', (query, forms) => {
  const found = queryFormsOf(query).map((form) => new Set(form.split(' ')));
  expect(found).toEqual(forms.map((form) => new Set(form.split(' '))));
});
