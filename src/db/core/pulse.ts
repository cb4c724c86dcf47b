import { setTimeout as delay } from 'node:timers/promises';

/** When the database last answered. */
export type Pulse = {
  /** Notes that it answered, and returns the answer. */
  heard<T>(answer: T): T;
  /** Milliseconds since then. */
  silence(): number;
  /** Whether it answers `look` by now, if it has been silent for longer than `patience` milliseconds. */
  isThere(patience: number, look: () => Promise<unknown>): Promise<boolean>;
};

/** @param lookWithin how long a look may take, in milliseconds */
export function createPulse(lookWithin: number): Pulse {
  let answered = performance.now();
  let looking: Promise<boolean> | null = null;
  const silence = () => performance.now() - answered;
  const lookOnce = (look: () => Promise<unknown>): Promise<boolean> => {
    const answer = look().then(
      () => true,
      () => false,
    );
    return Promise.race([answer, delay(lookWithin, false, { ref: false })]);
  };
  return {
    silence,
    heard: (answer) => {
      answered = performance.now();
      return answer;
    },
    async isThere(patience, look) {
      if (silence() <= patience) return true;
      // All who ask at the same time share one look: they would wait for each other's connection.
      looking ??= lookOnce(look).finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}
