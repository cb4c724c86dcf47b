import { MemoryError } from './errors.ts';
import { type Failures, pause, pauseBefore, waitAfter } from './waiting.ts';

type Patience = {
  /** How often to try until the stream was open once; after that there is no limit. */
  retries: number;
  /** Whether the server may accept other credentials than those that it has refused. */
  canRenew: boolean;
  signal: AbortSignal | undefined;
};

type Past = Failures & { wasOpen: boolean };

/**
 * Opens a stream again whenever it ends, as long as the server may come back. Ends when the signal is aborted.
 * @param open its stream yields null when the server has accepted it
 */
export async function* follow<T>(
  open: () => AsyncGenerator<T | null>,
  patience: Patience,
): AsyncGenerator<T> {
  const { signal } = patience;
  const so: Past = { wasOpen: false, count: 0, hasRenewed: false };
  while (!signal?.aborted) {
    let wait: number | null = pauseBefore(so.count);
    try {
      yield* itemsOf(open(), so);
    } catch (error) {
      if (signal?.aborted) return;
      wait = waitAfterStream(error, so, patience);
      if (wait === null) throw error;
    }
    // An aborted pause ends the loop.
    await pause(wait, signal).catch(() => undefined);
    so.count += 1;
  }
}

function waitAfterStream(error: unknown, so: Past, { retries, canRenew }: Patience): number | null {
  const { wasOpen, count } = so;
  // A function that has returned a token returns one again when what it asks is back.
  const isPassing = error instanceof MemoryError && error.code === 'NO_TOKEN' && wasOpen;
  if (isPassing) return pauseBefore(count);
  const most = wasOpen ? Number.POSITIVE_INFINITY : retries;
  return waitAfter(error, so, { retries: most, canRenew, isRepeatable: true });
}

async function* itemsOf<T>(stream: AsyncGenerator<T | null>, so: Past): AsyncGenerator<T> {
  for await (const item of stream) {
    so.wasOpen = true;
    so.hasRenewed = false;
    if (item === null) continue;
    so.count = 0;
    yield item;
  }
}
