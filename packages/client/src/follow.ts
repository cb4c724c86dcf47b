import { pause, pauseBefore, waitAfter } from './waiting.ts';

type Patience = {
  /** How often to try until the stream was open once; after that there is no limit. */
  retries: number;
  /** Whether the server may accept other credentials than those that it has refused. */
  canRenew: boolean;
  signal: AbortSignal | undefined;
};

/**
 * Opens a stream again whenever it ends, as long as the server may come back. Ends when the signal is aborted.
 * @param open its stream yields null when the server has accepted it
 */
export async function* follow<T>(
  open: () => AsyncGenerator<T | null>,
  { retries, canRenew, signal }: Patience,
): AsyncGenerator<T> {
  const so = { wasOpen: false, failures: 0 };
  while (!signal?.aborted) {
    let wait: number | null = pauseBefore(so.failures);
    try {
      yield* itemsOf(open(), so);
    } catch (error) {
      if (signal?.aborted) return;
      const most = so.wasOpen ? Number.POSITIVE_INFINITY : retries;
      wait = waitAfter(error, so.failures, { retries: most, canRenew, isRepeatable: true });
      if (wait === null) throw error;
    }
    // An aborted pause ends the loop.
    await pause(wait, signal).catch(() => undefined);
    so.failures += 1;
  }
}

async function* itemsOf<T>(
  stream: AsyncGenerator<T | null>,
  so: { wasOpen: boolean; failures: number },
): AsyncGenerator<T> {
  for await (const item of stream) {
    so.wasOpen = true;
    if (item === null) continue;
    so.failures = 0;
    yield item;
  }
}
