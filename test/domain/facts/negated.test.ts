import { expect, it } from 'vitest';
import { withoutNegated } from '../../../src/domain/facts/negated.ts';

const taste = (
  polarity: 'POSITIVE' | 'NEGATIVE',
  value: string,
  day: number,
  category: 'PREFERENCE' | 'INTEREST' | 'IDENTITY' = 'PREFERENCE',
) => ({ category, polarity, value, validFrom: new Date(Date.UTC(2026, 0, day)) });

it.each([
  [
    'a taste is left out when it is denied later',
    [taste('POSITIVE', 'Vim', 1), taste('NEGATIVE', 'Vim', 2)],
    [1],
  ],
  [
    'a taste that is newer than its denial stays, and so does the denial',
    [taste('POSITIVE', 'Vim', 3), taste('NEGATIVE', 'Vim', 2)],
    [0, 1],
  ],
  [
    'a denial applies whatever the user does with the thing',
    [taste('POSITIVE', 'using vim', 1, 'INTEREST'), taste('NEGATIVE', 'Vim', 2)],
    [1],
  ],
  [
    'a denial of one thing leaves tastes for other things',
    [taste('POSITIVE', 'Emacs', 1), taste('NEGATIVE', 'Vim', 2)],
    [0, 1],
  ],
  [
    'a fact that is no taste stays beside a denial',
    [taste('POSITIVE', 'Vim', 1, 'IDENTITY'), taste('NEGATIVE', 'Vim', 2)],
    [0, 1],
  ],
])('%s', (_name, facts, left) => {
  expect(withoutNegated(facts)).toEqual(left.map((index) => facts[index]));
});
