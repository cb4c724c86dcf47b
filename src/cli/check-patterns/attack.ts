import { parentPort } from 'node:worker_threads';
import { type Attack, attacksOn, textOf } from './samples.ts';

/** An expression to attack, with texts of these lengths, the short ones first. */
export type Target = {
  source: string;
  flags: string;
  lengths: readonly number[];
  /** Milliseconds that an attack may take. */
  most: number;
  count: number;
};

/** The attack that took too long; null if none did. */
export type Attacked = { attack: string; length: number; took: number } | null;

/** Tells of the text that is tried, so that one that never ends is known. */
export type Message = { trying: string } | { done: Attacked };

const port = parentPort;
port?.on('message', (target: Target) => port.postMessage({ done: attacked(target) }));

const shown = ({ start, pump, end }: Attack): string =>
  `${JSON.stringify(start)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(end)}`;

function attacked({ source, flags, lengths, most, count }: Target): Attacked {
  const attacks = attacksOn(source, flags, count);
  const expression = new RegExp(source, flags);
  const use = (text: string) =>
    expression.global ? text.replace(expression, '') : expression.test(text);
  for (const length of lengths) {
    for (const attack of attacks) {
      const text = textOf(attack, length);
      const attempt = `${shown(attack)}, ${text.length} characters`;
      port?.postMessage({ trying: attempt });
      // A busy machine makes one run long, and not the next.
      const took = Math.min(...times(() => use(text), most));
      if (took > most) return { attack: attempt, length: text.length, took };
    }
  }
  return null;
}

function* times(work: () => unknown, most: number): Generator<number> {
  for (let run = 0; run < 3; run += 1) {
    const before = performance.now();
    work();
    const took = performance.now() - before;
    yield took;
    if (took <= most) return;
  }
}
