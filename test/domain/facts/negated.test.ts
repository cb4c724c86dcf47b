import { expect, it } from 'vitest';
import { withoutNegated } from '../../../src/domain/facts/negated.ts';

const taste = (
  polarity: 'POSITIVE' | 'NEGATIVE',
  value: string,
  day: number,
  category: 'PREFERENCE' | 'INTEREST' | 'IDENTITY' = 'PREFERENCE',
) => ({ category, polarity, value, validFrom: new Date(Date.UTC(2026, 0, day)) });

it.each([
  ['an older taste is denied', [taste('POSITIVE', 'Vim', 1), taste('NEGATIVE', 'Vim', 2)], [1]],
  ['a newer one wins', [taste('POSITIVE', 'Vim', 3), taste('NEGATIVE', 'Vim', 2)], [0, 1]],
  [
    'whatever is done with it',
    [taste('POSITIVE', 'using vim', 1, 'INTEREST'), taste('NEGATIVE', 'Vim', 2)],
    [1],
  ],
  ['others stay', [taste('POSITIVE', 'Emacs', 1), taste('NEGATIVE', 'Vim', 2)], [0, 1]],
  [
    'what is no taste stays',
    [taste('POSITIVE', 'Vim', 1, 'IDENTITY'), taste('NEGATIVE', 'Vim', 2)],
    [0, 1],
  ],
])('%s', (_name, facts, left) => {
  expect(withoutNegated(facts)).toEqual(left.map((index) => facts[index]));
});
