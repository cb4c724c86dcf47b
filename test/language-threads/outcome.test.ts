import { expect, it } from 'vitest';
import { outcomeOf, resultOf } from '../../src/language-threads/outcome.ts';

/** Through a thread's border, which keeps neither class nor name. */
const across = async (error: unknown): Promise<unknown> => {
  const outcome = structuredClone(await outcomeOf(Promise.reject(error)));
  try {
    return resultOf(outcome);
  } catch (thrown) {
    return thrown;
  }
};

it("keeps an error's name and words, and its stack apart from them", async () => {
  const cause = new RangeError('too far');
  const error = (await across(cause)) as Error;
  expect(String(error)).toBe('RangeError: too far');
  expect(error.message).toBe('too far');
  expect(error.stack).toBe(cause.stack);
});

it('takes what is no error by its words', async () => {
  expect(String(await across('away'))).toBe('Error: away');
});

it('gives what was done', async () => {
  expect(resultOf(await outcomeOf(Promise.resolve(7)))).toBe(7);
});
