import { Presets, SingleBar } from 'cli-progress';

/** A bar on stderr; nothing where that is no terminal. */
export type Progress = Disposable & { add(count: number): void; set(count: number): void };

/** Shows how much of a long work is done. */
export function showProgress(what: string, total: number): Progress {
  const format = `${what.padEnd(28)} {bar} {value}/{total} {eta_formatted}`;
  const bar = new SingleBar({ format, hideCursor: true }, Presets.shades_classic);
  bar.start(total, 0);
  return {
    add: (count) => bar.increment(count),
    set: (count) => bar.update(count),
    [Symbol.dispose]: () => bar.stop(),
  };
}
