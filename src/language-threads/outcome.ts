/** The outcome of a function that runs in another thread. Errors are passed as data, since they lose their name on the way. */
export type Outcome<T> =
  | { is: 'done'; value: T }
  | { is: 'failed'; name: string; message: string; stack: string | null };

export async function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { is: 'done', value: await work };
  } catch (error) {
    if (!(error instanceof Error)) {
      return { is: 'failed', name: 'Error', message: String(error), stack: null };
    }
    const { name, message, stack } = error;
    return { is: 'failed', name, message, stack: stack ?? null };
  }
}

/**
 * @throws an error with the name, message and stack of the original; the stack is only for the log,
 * since it names files of the server
 */
export function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.is === 'done') return outcome.value;
  const error = new Error(outcome.message);
  error.name = outcome.name;
  if (outcome.stack !== null) error.stack = outcome.stack;
  throw error;
}
