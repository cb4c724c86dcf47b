import { expect, it, vi } from 'vitest';
import { cached } from '../../../src/language/text/cached.ts';

it('each text is read once', () => {
  const read = vi.fn((text: string) => [text.length]);
  const lengthOf = cached(read);
  expect([lengthOf('Oslo'), lengthOf('Porto'), lengthOf('Oslo')]).toEqual([[4], [5], [4]]);
  expect(read).toHaveBeenCalledTimes(2);
});
