/** How often to poll, in milliseconds: usually, and once `IDLE_AFTER` polls in a row found nothing to do. */
const POLL_EVERY = 1_000;
const POLL_WHEN_IDLE = 5_000;
const IDLE_AFTER = 10;

export type Polling = Disposable & {
  /** To be called when there was something to do: polls often again. */
  stayAwake(): void;
};

/** Calls `poll` every second, and every five seconds while nobody calls `stayAwake`, so that an idle server costs little. */
export function startPolling(poll: () => void): Polling {
  let inVain = 0;
  let isOver = false;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(
      () => {
        inVain += 1;
        schedule();
        poll();
      },
      inVain < IDLE_AFTER ? POLL_EVERY : POLL_WHEN_IDLE,
    );
  };
  schedule();
  return {
    stayAwake() {
      const wasIdle = inVain >= IDLE_AFTER;
      inVain = 0;
      if (!wasIdle || isOver) return;
      clearTimeout(timer);
      schedule();
    },
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
