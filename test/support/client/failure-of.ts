import { MemoryError } from '@mnemograph/client';
import { expect } from 'vitest';

/** The error with which a call fails. */
export const failureOf = (call: Promise<unknown>): Promise<MemoryError> =>
  call.then(
    () => expect.unreachable('it did not fail'),
    (error) => {
      expect(error).toBeInstanceOf(MemoryError);
      return error;
    },
  );
