import { describe, expect, it } from 'vitest';
import { describeSegment } from '../../../../src/reasoner/extractive/describe-segment.ts';
import { talk } from '../talk.ts';

const headingOf = (lines: readonly string[]) => {
  const { title, topic } = describeSegment({ turns: talk(lines) });
  return { title: title ?? '', topic: topic ?? '' };
};

describe('titles and topics of a conversation', () => {
  it.each([
    [
      'exclamations and a wondering question around it',
      ['user: omg can you believe it, the neighbours want to cut down the old pear tree'],
      /pear tree/,
      /believe/i,
    ],
    [
      'a request around it',
      ['user: can you please help me find a cheap campsite near lake garda for august'],
      /campsite near lake garda/i,
      /help|find|please/i,
    ],
    [
      'haste without apostrophes',
      ['user: i dont think the dentist bill is right, im not paying 380 for a crown'],
      /dentist bill/i,
      /dont|\bim\b/i,
    ],
    [
      'a table in the answer',
      [
        'user: how did signups for the newsletter go last quarter',
        'assistant: | channel | signups |\n|---|---|\n| podcast | 140 |\n\n## Summary\n- **Podcast** brought most signups.',
      ],
      /signups|newsletter/i,
      /[|#*]/,
    ],
    [
      'a letter that is pasted',
      [
        'user: what do I answer? Dear Mr Holt, your parking permit for zone 4 ends on 30 June.',
        'assistant: Renew the permit online before 30 June.',
      ],
      /parking permit/,
      /dear|answer/i,
    ],
    [
      'a verb that hangs on a name',
      ["user: the school's moved the swimming lesson to wednesday, tell grandma"],
      /swimming lesson/,
      /'s/,
    ],
    [
      'a verb between a name and its object',
      ['user: My nephew Toby set this tablet up. I grow dahlias in Devon.'],
      /dahlias/,
      /set\b/,
    ],
    [
      'a verb between a subject and its object',
      ['user: the allotment phone calls me every night about the compost heap'],
      /compost heap/,
      /calls/,
    ],
    [
      'a verb at the end',
      ['user: ok so the dose of ramipril stays, the cough syrup goes'],
      /ramipril/,
      /stays|goes/,
    ],
  ])('the title names the subject and leaves out %s', (_what, lines, matter, noise) => {
    const { title, topic } = headingOf(lines);
    expect(title).toMatch(matter);
    expect(`${title} ${topic}`).not.toMatch(noise);
  });

  it('the title contains no pronouns and no names of roles', () => {
    const { title } = headingOf([
      'user: my landlord wants to raise my rent by 9 percent, and my flat has mould in the bathroom',
      'assistant: Ask your landlord for the survey before you agree to the higher rent.',
    ]);
    expect(title).toMatch(/rent|mould/);
    expect(title).not.toMatch(/\b(?:they|their|user|assistant|your|my)\b/i);
  });

  it('each phrase of the title occurs in the conversation word for word', () => {
    const lines = [
      'user: The heat pump (a Nordwind 8) rattles at night; the installer, Ms. Ortega, blames the pipes.',
      'assistant: Loose pipe clamps on the wall make a heat pump rattle.',
      'user: We tightened the clamps and the rattle in the wall is gone.',
    ];
    const { title } = headingOf(lines);
    const said = lines.join(' ').toLowerCase();
    for (const phrase of title.split(', ')) expect(said).toContain(phrase.toLowerCase());
    expect(title.split(' ').length).toBeLessThanOrEqual(15);
  });

  it.each([
    [['user: without']],
    [['user: a bit']],
    [['user: not really, no']],
    [['user: on tuesday i think']],
    [['user: one more thing']],
  ])('there is no title and no topic when nothing is named: %j', (lines) => {
    expect(headingOf(lines)).toEqual({ title: '', topic: '' });
  });

  it('a sentence in another language within an English conversation adds nothing to the title', () => {
    const { title } = headingOf([
      'user: the supplier sent a note about the invoice, what does it say',
      'user: ich habe die Rechnung nicht bekommen und das ist schade',
      'assistant: The supplier did not get the invoice.',
    ]);
    expect(title).toMatch(/supplier|invoice/);
    expect(title).not.toMatch(/Rechnung|schade/);
  });

  it.each([
    ['user: The old train set has a new bridge and two tunnels.', /train set/],
    ['user: Toby wants a chess set for his birthday.', /chess set/],
    ['user: I am tired of the phone calls from the bank.', /phone calls/i],
    ['user: We paid for the garden tools and a ladder.', /garden tools/i],
  ])('a noun after a noun stays in the title: %s', (line, noun) => {
    expect(headingOf([line]).title).toMatch(noun);
  });
});
