import { expect, it } from 'vitest';
import { isMoreThanGreeting } from '../../../src/language/en/greeting.ts';

it.each([
  ['Hi!', false],
  ['Good morning, how are you?', false],
  ['hello there', false],
  ['ok thanks', false],
  ['???', false],
  ['Hi, about the flat', true],
  ['And on Thursday?', true],
])('%j is more than a greeting: %s', (text, isMore) => {
  expect(isMoreThanGreeting(text)).toBe(isMore);
});
