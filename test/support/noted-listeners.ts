import type { Publisher } from '../../src/events/publisher.ts';

/** A publisher that keeps those who listen for progress now in `listeners`. */
export const withNotedListeners = (publisher: Publisher, listeners: Set<unknown>): Publisher => ({
  ...publisher,
  onProgress: (listener) => {
    const stop = publisher.onProgress(listener);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      stop();
    };
  },
});
