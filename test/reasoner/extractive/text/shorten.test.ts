import { describe, expect, it } from 'vitest';
import { clip } from '../../../../src/reasoner/extractive/text/clip.ts';
import { shorten } from '../../../../src/reasoner/extractive/text/shorten.ts';

describe('shorten never cuts inside a unit, a number or a coordination', () => {
  it.each([
    [
      'We load the truck on Friday at 6 pm, and the driver knows the gate.',
      45,
      'We load the truck on Friday at 6 pm…',
    ],
    [
      'The pool is heated to 27 °C, which is warm enough for the club.',
      40,
      'The pool is heated to 27 °C…',
    ],
    [
      'The beam carries 4.5 kN per metre, although the drawing says otherwise.',
      45,
      'The beam carries 4.5 kN per metre…',
    ],
    ['We pay 1,250 euros, and the rest comes by transfer on the first.', 30, 'We pay 1,250 euros…'],
    [
      'She wants plain and friendly replies, with a source where there is one.',
      45,
      'She wants plain and friendly replies…',
    ],
    [
      'Flour, sugar, and butter come from the mill, but the eggs are from our own hens.',
      50,
      'Flour, sugar, and butter come from the mill…',
    ],
    [
      'He gives slow but thorough answers when we call the firm.',
      45,
      'He gives slow but thorough answers…',
    ],
  ])('%j in %d characters', (sentence, most, short) => {
    expect(shorten(sentence, most, [])).toBe(short);
  });

  it.each([
    ['I need short, plain and friendly replies from the shop floor on.', 40],
    ['They want warm and personal letters for every member of the choir.', 20],
  ])('rather than half of it, nothing of %j', (sentence, most) => {
    expect(shorten(sentence, most, [])).toBeNull();
  });
});

it.each([
  [
    'The concert in the old town hall begins at 8 pm sharp',
    44,
    'The concert in the old town hall begins at…',
  ],
  [
    'The parcel for the museum weighs about 12.5 kg in all',
    43,
    'The parcel for the museum weighs about…',
  ],
])('what is cut at a word keeps no figure without what it counts: %j', (text, most, short) => {
  expect(clip(text, most)).toBe(short);
});
