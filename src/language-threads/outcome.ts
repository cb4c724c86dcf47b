/** The outcome of a step that runs in another thread, since errors lose their class and name on the way. */
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
 * @throws an error with the name, message and stack of the one that was thrown; the stack is
 * for the log alone, since it names the server's files
 */
export function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.is === 'done') return outcome.value;
  const error = new Error(outcome.message);
  error.name = outcome.name;
  if (outcome.stack !== null) error.stack = outcome.stack;
  throw error;
}
