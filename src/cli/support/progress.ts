import { Presets, SingleBar } from 'cli-progress';

/** A progress bar on stderr. Nothing is shown if stderr is not a terminal. */
export type ProgressBar = Disposable & { add(count: number): void; set(count: number): void };

/** Shows a progress bar. @param what its label, such as "bytes" @param total the value at which it is complete */
export function showProgress(what: string, total: number): ProgressBar {
  const format = `${what.padEnd(28)} {bar} {value}/{total} {eta_formatted}`;
  const bar = new SingleBar({ format, hideCursor: true }, Presets.shades_classic);
  bar.start(total, 0);
  return {
    add: (count) => bar.increment(count),
    set: (count) => bar.update(count),
    [Symbol.dispose]: () => bar.stop(),
  };
}
