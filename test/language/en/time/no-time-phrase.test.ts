import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayNameTime, timeRangeIn } from '../../../../src/language/en/time/time-phrases.ts';
import { processorTime } from '../../../support/processor-time.ts';

const BERLIN = 'Europe/Berlin';
const WEDNESDAY = new Date('2026-11-18T13:30:00Z');

describe('texts without a range of time', () => {
  it.each([
    'What does Marta eat?',
    'I have 3 cats',
    'version 2.0',
    'Is it 3.5.2 or 3.6?',
    'May I ask something?',
    'What may I do?',
    'How may June and April help?',
    'What does June like?',
    'What did April tell me?',
    'The troops march on',
    'this may be wrong',
    'Did the cat sat on the mat?',
    'in the sun',
    'the fall of Rome',
    'fall asleep',
    'I write 2000 words in 2000 words blocks',
    'call 2024',
    'room 1999',
    'the 3rd floor',
    'on the second try',
    'last time',
    'the last one',
    'this is it',
    'every Monday',
    'on Mondays',
    'Black Friday deals',
    'a week has seven days',
    'my week is full',
    'good morning',
    'in two weeks',
    'years ago',
    '24/7',
    '10-12 eggs',
    'half past five',
    'on 45 June',
    '2024-13-45',
    'on 30 February',
    '',
    '   ',
    '今天我们说了什么',
  ])('%j names no time in the past', (text) => {
    expect(timeRangeIn(text, WEDNESDAY, BERLIN)).toBeNull();
  });

  it.each([
    'next week',
    'What happens next Monday?',
    'tomorrow',
    'this weekend',
    'this Friday',
    'tonight',
    'in 2030',
    'on 3 May 2027',
    'until 2030',
    'before 3 May 2027',
    'What will we do in March?',
    'What do I have to do before Christmas?',
    'What is planned for Monday?',
    'a week from Monday',
    'Which restaurant did we choose for Saturday evening?',
    'the appointment that I made for the 15th',
  ])('a phrase about the future gives no range: %j', (text) => {
    expect(timeRangeIn(text, WEDNESDAY, BERLIN)).toBeNull();
  });

  it('whether a phrase lies in the past depends on the time zone', () => {
    const now = new Date('2026-11-18T04:00:00Z');
    expect(timeRangeIn('this morning', now, 'UTC')).toBeNull();
    expect(timeRangeIn('this morning', now, 'Asia/Tokyo')).not.toBeNull();
    expect(['this morning', 'What does Marta eat?'].map(mayNameTime)).toEqual([true, false]);
  });

  it('any text is accepted, and a range begins before it ends', () => {
    const word = fc.constantFrom(
      ...(
        'since until between and from to the last this next 3 5 31 2024 1999 May March monday week weekend year days ago few ' +
        'a of in on before after summer easter Q3 W53 15th 3/5/2024 2024-02-30 yesterday morning, day early end Christmas'
      ).split(' '),
    );
    const zone = fc.constantFrom('UTC', BERLIN, 'America/Santiago', 'Pacific/Apia');
    const now = fc.date({
      min: new Date('1971-01-01'),
      max: new Date('2090-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 9 }), now, zone, (words, at, timeZone) => {
        const text = words.join(' ');
        const range = timeRangeIn(text, at, timeZone);
        if (!range) return;
        expect(text).toContain(range.phrase);
        expect(range.from ?? range.to).not.toBeNull();
        expect(Number(range.from ?? -Infinity)).toBeLessThan(Number(range.to ?? Infinity));
        expect(Number(range.from ?? -Infinity)).toBeLessThanOrEqual(at.getTime());
      }),
      { numRuns: 2_000 },
    );
  });

  it('a text without a time phrase is read in under a millisecond', () => {
    const text = 'What did Marta say about the flat with the kitchen, and who was it for? '.repeat(
      20,
    );
    const read = (times: number) => {
      for (let time = 0; time < times; time += 1) timeRangeIn(text, WEDNESDAY, BERLIN);
    };
    read(100);
    expect(processorTime(() => read(200), 200) / 200).toBeLessThan(1);
  });
});
