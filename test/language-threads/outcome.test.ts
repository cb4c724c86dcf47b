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

it('an error keeps its name and message, and its stack is not part of the message', async () => {
  const cause = new RangeError('too far');
  const error = (await across(cause)) as Error;
  expect(String(error)).toBe('RangeError: too far');
  expect(error.message).toBe('too far');
  expect(error.stack).toBe(cause.stack);
});

it('a thrown value that is not an error becomes an error with its text', async () => {
  expect(String(await across('away'))).toBe('Error: away');
});

it('a result is returned unchanged', async () => {
  expect(resultOf(await outcomeOf(Promise.resolve(7)))).toBe(7);
});
