import { loadavg } from 'node:os';

/** The spread of a figure over several rounds. */
export type Spread = { median: number; min: number; max: number };

/** Returns the value below which a share of the values lies, 0-1; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the median; NaN without values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the median, the lowest and the highest of several figures. */
export const spreadOf = (figures: readonly number[]): Spread => ({
  median: median(figures),
  min: Math.min(...figures),
  max: Math.max(...figures),
});

/** Returns the result of work, and how many milliseconds it took. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

/** Runs `work` for 0 … count-1, `inFlight` at a time. Returns the milliseconds of each. */
export async function runInFlight(
  count: number,
  inFlight: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      times.push((await timed(() => work(index))).ms);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return times;
}

/** Returns the machine's load over the last minute, to one digit: figures of a busy machine mean little. */
export const loadAverage = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;
