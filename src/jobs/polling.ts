/** How often to poll, in milliseconds: usually, and once `IDLE_AFTER` polls in a row found nothing to do. */
const POLL_EVERY = 1_000;
const POLL_WHEN_IDLE = 5_000;
const IDLE_AFTER = 10;
/** The longest time between two polls while nothing is due, in milliseconds. */
const REST_AT_MOST = 15_000;

export type Polling = Disposable & {
  /** To be called when there was something to do: polls often again. */
  stayAwake(): void;
  /** Whether the last polls found nothing to do. */
  isIdle(): boolean;
  /** To be called when nothing is due before a time: while idle, the next poll waits for it. In milliseconds from now. */
  rest(milliseconds: number): void;
};

/**
 * Calls `poll` every second, and every five seconds while nobody calls `stayAwake`, or after up to 15 if nothing is due
 * before, so that an idle server costs little.
 */
export function startPolling(poll: () => void): Polling {
  let inVain = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const isIdle = () => inVain >= IDLE_AFTER;
  const pollAfter = (milliseconds: number) => {
    if (isOver) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      inVain += 1;
      pollAfter(isIdle() ? POLL_WHEN_IDLE : POLL_EVERY);
      poll();
    }, milliseconds);
  };
  pollAfter(POLL_EVERY);
  return {
    stayAwake() {
      const wasIdle = isIdle();
      inVain = 0;
      if (wasIdle) pollAfter(POLL_EVERY);
    },
    isIdle,
    rest(milliseconds) {
      if (isIdle()) pollAfter(Math.min(milliseconds, REST_AT_MOST));
    },
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
