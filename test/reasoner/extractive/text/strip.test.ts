import { describe, expect, it } from 'vitest';
import { isBoilerplate, isPraise } from '../../../../src/reasoner/extractive/text/boilerplate.ts';
import { stripOpeners } from '../../../../src/reasoner/extractive/text/strip.ts';

describe('stripOpeners', () => {
  it.each([
    'so tired.',
    'So proud of Ingrid',
    'so glad it is over',
    'so annoyed about the ferry',
    'so badly burnt',
    'so few came',
    'so expensive here',
  ])('"so" that means "very" stays: %s', (text) => {
    expect(stripOpeners(text)).toBe(text);
  });

  it.each([
    ['so we took the ferry', 'we took the ferry'],
    ['So, tired as I was, I went', 'tired as I was, I went'],
    ['so then I called Emil', 'I called Emil'],
    ['so good news: it fits', 'good news: it fits'],
    ['so stain-free shirts, twice', 'stain-free shirts, twice'],
    ['so next week is fine', 'next week is fine'],
    ['so great, I booked it', 'I booked it'],
    ['so booked the hall', 'booked the hall'],
    ['so the rent is due', 'the rent is due'],
    ['and so hungry', 'so hungry'],
  ])('"so" that leads on is left out: %s', (text, rest) => {
    expect(stripOpeners(text)).toBe(rest);
  });
});

describe('isBoilerplate', () => {
  it.each([
    "I'm sorry, Marisol.",
    "Oh no, I'm so sorry!",
    'Poor Emil!',
    'Poor thing.',
    'Aww, poor old Rex!',
  ])('mere sympathy says nothing: %s', (text) => {
    expect(isBoilerplate(text)).toBe(true);
  });

  it.each([
    'Poor Emil had to stay in hospital.',
    'Poor soil needs compost.',
    'poor visibility',
    'Sorry, Friday.',
    'Leipzig.',
  ])('what tells something is kept: %s', (text) => {
    expect(isBoilerplate(text)).toBe(false);
  });
});

describe('isPraise', () => {
  it.each(['Great location!', 'Amazing news, congratulations!', 'What a lovely idea!'])(
    'a sentence that only praises: %s',
    (text) => {
      expect(isPraise(text)).toBe(true);
    },
  );

  it.each([
    'Great news: the hall is booked!',
    'Good bread needs time.',
    'Nice trains run hourly to Bergen!',
    'Perfect, Friday!',
  ])('a sentence that says more: %s', (text) => {
    expect(isPraise(text)).toBe(false);
  });
});
