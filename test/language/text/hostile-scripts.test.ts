import { describe, expect, it } from 'vitest';
import { normalized } from '../../../src/language/text/normalize.ts';
import { queryFormsOf, termsOf, wordCount } from '../../../src/language/text/terms.ts';
import { cutText, tokensOf } from '../../../src/language/text/tokens.ts';
import { processorTime } from '../../support/processor-time.ts';
import { hostileTexts } from '../../support/samples/hostile-texts.ts';

const SHORT = 10_000;
const LONG = 100_000;
/** Below it, milliseconds tell of the machine and not of the work. */
const NOISE = 20;
/** Ten times the text, twice over: a step of quadratic time takes a hundred times as long. */
const RATIO = 20;
/** What took quadratic time took five to a hundred seconds. */
const MOST = 1_500;

const WORK: readonly (readonly [string, (text: string) => unknown])[] = [
  ['termsOf', termsOf],
  ['wordCount', wordCount],
  ['queryFormsOf', queryFormsOf],
  ['tokensOf', tokensOf],
  ['cutText', (text) => cutText(text, 1_000)],
];

describe.each(WORK)('%s with hostile texts', (_, work) => {
  const long = new Map(hostileTexts(LONG));
  work('so that it is compiled: ฉันไป');
  it.each(hostileTexts(SHORT))(
    'the time is proportional to the length of the text: %s',
    (name, text) => {
      const short = processorTime(() => work(text));
      const most = Math.min(MOST, RATIO * Math.max(short, NOISE));
      expect(processorTime(() => work(long.get(name) ?? ''), most)).toBeLessThan(most);
    },
  );
});

describe('texts that are read in pieces', () => {
  const TEXTS: readonly (readonly [string, string])[] = [
    ['Thai', 'ฉันไปตลาดเมื่อวานนี้กับเพื่อนของฉันและซื้อผลไม้มากมาย'],
    ['Khmer', 'ខ្ញុំទៅផ្សារជាមួយមិត្តភក្តិរបស់ខ្ញុំ'],
    ['Burmese', 'ကျွန်တော်မနေ့ကဈေးသို့သွားပြီးသစ်သီးများဝယ်ခဲ့သည်'],
  ];
  it.each(TEXTS)('a long text in %s has the same words as its parts', (_, text) => {
    const once = wordCount(text);
    expect(wordCount(text.repeat(40))).toBe(40 * once);
    expect([...termsOf(text.repeat(40)).keys()]).toEqual([...termsOf(text).keys()]);
  });

  it.each(['NFC', 'NFD', 'NFKC', 'NFKD'] as const)(
    'a long text is normalized to %s like a short one',
    (form) => {
      const text = 'Àé 한국어 ﷺ が 각 ａｂ 𝒜 𠀀 क़ '.normalize('NFD').repeat(200);
      expect(normalized(text, form)).toBe(text.normalize(form));
    },
  );
});
