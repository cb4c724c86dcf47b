import { describe, expect, it } from 'vitest';
import { normalValue } from '../../../src/domain/facts/fact-key.ts';
import { askedKeysOf } from '../../../src/language/en/asked-keys.ts';
import { cuesOf } from '../../../src/language/en/boundary-cues.ts';
import { continuityOf } from '../../../src/language/en/continuity.ts';
import { sentenceFor } from '../../../src/language/en/episode-sentence.ts';
import { narrativeContentOf, routineShareOf } from '../../../src/language/en/narrative.ts';
import { recallIntentOf } from '../../../src/language/en/recall-intent.ts';
import { timeRangeIn } from '../../../src/language/en/time/time-phrases.ts';
import { processorTime } from '../../support/processor-time.ts';
import { hostileTexts } from '../../support/samples/hostile-texts.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const LENGTH = 50_000;
/** Milliseconds: what takes quadratic time takes seconds, the rest has no end. */
const MOST = 1_000;

const RULES: readonly (readonly [string, (text: string) => unknown])[] = [
  ['askedKeysOf', askedKeysOf],
  ['recallIntentOf', recallIntentOf],
  ['timeRangeIn', (text) => timeRangeIn(text, NOW, 'Europe/Berlin')],
  ['cuesOf', cuesOf],
  ['narrativeContentOf', (text) => narrativeContentOf([{ role: 'USER', text }])],
  ['routineShareOf', (text) => routineShareOf([{ role: 'USER', text }])],
  ['normalValue', normalValue],
  ['continuityOf', (topic) => continuityOf({ topic, hasAsked: true })],
  [
    'sentenceFor',
    (text) => sentenceFor({ date: '', week: 1, year: 1, partOfDay: 'NIGHT' }, '', text),
  ],
];

/** Beginnings of what the rules look for, over and over, and an end that they do not. */
const OWN_WORDS: readonly (readonly [string, string])[] = [
  ['so', `oh'${'so  so '.repeat(40)}r`],
  ["what'", `${"what' ".repeat(60)}x`],
  ['my name again', `my name${', again please'.repeat(4_000)} x`],
  ['signs that do not end it', `${'!'.repeat(LENGTH)}x`],
  ['stops that do not end it', `${'.'.repeat(LENGTH)}x`],
  ['commas that do not end it', `${', '.repeat(LENGTH / 2)}x`],
  ['days before', 'the day before '.repeat(3_000)],
  ['days', 'on Monday and Tuesday or 30 February '.repeat(1_500)],
  ['did we', 'do you remember what did we '.repeat(2_000)],
];

describe.each(RULES)('%s with hostile texts', (_, rule) => {
  rule('What did we say on Monday, 3 May?');
  it.each([...OWN_WORDS, ...hostileTexts(LENGTH)])(
    'a hostile text is read in bounded time: %s',
    (_, text) => {
      expect(processorTime(() => rule(text), MOST)).toBeLessThan(MOST);
    },
  );
});
