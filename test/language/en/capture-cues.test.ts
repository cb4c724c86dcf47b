import { expect, it } from 'vitest';
import { asksForProfile, asksForRecap, givesFact } from '../../../src/language/en/capture-cues.ts';

it.each([
  ['Please remember that.', true],
  ['Please note!', true],
  ['The code is 4711. Remember that, please.', true],
  ['My new email is ada@example.com.', true],
  ['In case you need it: the spare key is under the pot.', true],
  ['In case it helps, I am left-handed.', true],
  ['I packed a coat in case it rains.', false],
  ['Take a taxi in case you miss the last train.', false],
  ['That is all I can remember.', false],
])('gives a fact to be noted: %s %s', (text, expected) => {
  expect(givesFact(text)).toBe(expected);
});

it.each([
  ['What should I call you?', true],
  ['Which airline do you prefer?', true],
  ['What would you like to be called?', true],
  ['What is your time zone?', true],
  ['Tea or coffee?', true],
  ['What do you think?', false],
  ['What else do you think of it?', false],
  ['What should I cook?', false],
])('asks for details or preferences: %s %s', (text, expected) => {
  expect(asksForProfile(text)).toBe(expected);
});

it.each([
  ["Let's sum up where we are.", true],
  ['Keep that list.', true],
  ['Summarize this article.', false],
])('asks for a recap, or to keep one: %s %s', (text, expected) => {
  expect(asksForRecap(text)).toBe(expected);
});
