import { ModelUnavailable } from '../../domain/errors.ts';

/** What came of a call that crosses threads, where errors lose their class. */
export type Outcome<T> =
  | { is: 'done'; value: T }
  | { is: 'unavailable'; message: string; retryAt: Date }
  | { is: 'failed'; message: string };

export async function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { is: 'done', value: await work };
  } catch (error) {
    if (error instanceof ModelUnavailable) {
      return { is: 'unavailable', message: error.message, retryAt: error.retryAt };
    }
    return {
      is: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

/** @throws ModelUnavailable, or an error with the words of the one that was thrown */
export function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.is === 'done') return outcome.value;
  if (outcome.is === 'unavailable') throw new ModelUnavailable(outcome.message, outcome.retryAt);
  throw new Error(outcome.message);
}
