import { expect, it } from 'vitest';
import { countOption, countOrNoneOption } from '../../../src/cli/support/count-option.ts';

it('an option that may be none, such as the grace period of a key, accepts 0', () => {
  expect(['0', '15'].map(countOrNoneOption)).toEqual([0, 15]);
});

it.each(['', '-1', '1.5', 'x'])('"%s" is no count', (text) => {
  expect(() => countOrNoneOption(text)).toThrow('whole number');
  expect(() => countOption(text)).toThrow('whole number');
});

it('other options refuse 0', () => {
  expect(() => countOption('0')).toThrow('greater than 0');
});
