import { describe, expect, it } from 'vitest';
import { compact } from '../../../../src/reasoner/extractive/compact.ts';
import { describeSegment } from '../../../../src/reasoner/extractive/describe-segment.ts';
import { talk } from '../talk.ts';

const AROUND = [
  'user: The storage unit near the station in Bergen would hold the piano and both sofas.',
  'assistant: Ask about the humidity in there, because a piano suffers in damp rooms.',
];

/** What is told of a talk in which something is said wrongly and put right. */
function toldOf(lines: readonly string[]): string[] {
  const turns = talk([...AROUND, ...lines]);
  const { summary } = describeSegment({ turns });
  const { micro, meso } = compact({ turns });
  return [summary ?? '', micro ?? '', meso ?? ''];
}

describe('summaries of corrected figures', () => {
  it.each([
    ['in one breath', ['user: The rent is 140 euros a month… sorry, 112 euros.']],
    ['in the next sentence', ['user: The rent is 140 euros a month. Sorry, 112.']],
    ['in the next turn', ['user: The rent is 140 euros a month.', 'user: no wait, 112']],
    [
      'after the assistant repeated it',
      [
        'user: The rent is 140 euros a month.',
        'assistant: With 140 euros a month, a year comes to 1,680 euros.',
        "user: Correction: it's 112 euros, not 140.",
      ],
    ],
    [
      'by what it is not',
      ['user: The rent is 140 euros a month.', 'user: the rent is 112, not 140'],
    ],
    ['as meant', ['user: The rent is 140 euros a month.', 'user: I meant 112 euros a month.']],
    ['as a slip', ['user: The rent is 140 euros a month.', 'user: oops, typo, 112 euros']],
    ['scratched', ['user: The rent is 140 euros a month.', 'user: scratch that, 112 a month']],
    ['made', ['user: The rent is 140 euros a month.', 'user: make that 112 euros.']],
    [
      'by who said it',
      ['user: The rent is 140 euros a month.', 'user: I said 140, the rent is really 112 euros.'],
    ],
  ])('an amount that is corrected %s is not quoted as true', (_how, lines) => {
    for (const told of toldOf(lines)) {
      if (told.includes('140')) expect(told).toMatch(/140.*112|112(?: euros)?, not 140/);
    }
    expect(toldOf(lines).join(' ')).toContain('112');
  });

  it.each([
    [
      'a day',
      ['user: The viewing of the unit is on Thursday.', 'user: sorry, Friday'],
      /Thursday/,
      /Friday/,
    ],
    [
      'a day that moved',
      [
        'user: The viewing of the unit is on Thursday 26th.',
        'user: The viewing was moved to Friday 27th.',
      ],
      /26th/,
      /27th/,
    ],
    [
      'a time',
      ['user: The van for the piano comes at 9:30.', "user: hang on, that's 10:15, not 9:30"],
      /9:30/,
      /10:15/,
    ],
    [
      'a count in words',
      ['user: We need four movers for the piano.', 'user: actually, six movers for the piano'],
      /four/,
      /six/i,
    ],
  ])('a value that was corrected is not quoted as true: %s', (_what, lines, wrong, right) => {
    for (const told of toldOf(lines)) {
      const at = told.search(wrong);
      if (at >= 0) expect(told.slice(at)).toMatch(right);
    }
    expect(toldOf(lines).join(' ')).toMatch(right);
  });

  it('figures that were not corrected stay in the summaries', () => {
    const lines = [
      'user: The rent of the unit is 140 euros a month, and the deposit is 300 euros.',
      'user: Sorry, I was away for 2 days.',
      'user: The van costs 80 euros, not cheap.',
    ];
    const [summary, , meso] = toldOf(lines);
    expect(summary).toContain('140 euros');
    expect(meso).toContain('140 euros');
    expect(meso).toContain('80 euros');
  });

  it.each([
    [
      'a house number, next to a rent',
      ['user: We found a house: 14 Kirkegata, 9,800 a month', "user: no sorry, it's 41 Kirkegata"],
      ['house', '14 Kirkegata', '9,800', '41 Kirkegata'],
    ],
    [
      'a day, next to who comes',
      [
        'user: Ingrid brings the trailer and the ropes on Thursday.',
        'user: wait, Ingrid meant Friday, her shift changed',
      ],
      ['trailer', 'Thursday', 'Friday'],
    ],
    [
      'a count, next to a name',
      [
        'user: Olav wants four straps and a blanket for the piano.',
        'user: actually, six straps and a rope',
      ],
      ['Olav', 'four', 'blanket', 'Six'],
    ],
  ])('what a correction does not repeat is quoted with it: %s', (_what, lines, words) => {
    const [summary = ''] = toldOf(lines);
    for (const word of words) expect(summary).toContain(word);
  });

  it.each([
    [
      'the same words',
      ['user: The piano tuner costs 90 euros.', 'user: sorry, the piano tuner costs 70 euros'],
      '90',
    ],
    [
      'more words',
      ['user: The tuner comes at 9:30.', 'user: sorry, the tuner comes at 10:15 with his son'],
      '9:30',
    ],
    [
      'two figures for two',
      [
        'user: The viewing is on Thursday 26th.',
        'user: The viewing was moved to Friday 27th by the agent.',
      ],
      '26th',
    ],
  ])('a sentence that its correction repeats is dropped: %s', (_what, lines, wrong) => {
    for (const told of toldOf(lines)) expect(told).not.toContain(wrong);
  });
});
