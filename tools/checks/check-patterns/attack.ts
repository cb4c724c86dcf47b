import { runInThisContext } from 'node:vm';
import { type Attack, attacksOn, textOf } from './samples.ts';

/** An expression to attack with texts of the given lengths, short ones first. */
export type Target = {
  source: string;
  flags: string;
  lengths: readonly number[];
  /** The most processor time that an attack may take, in milliseconds. */
  most: number;
  /** Whether the time must also grow no faster than the text. */
  inProportion: boolean;
  /** How many attacks to try. */
  count: number;
  /** A text that the automata consider slow; null if there is none. */
  known: Attack | null;
};

/** The attack that took too long; null if none did. */
export type Attacked = { attack: string; length: number; took: number } | null;

/** Growth is checked only above this time, in milliseconds. */
const NOTICEABLE = 15;
const PARTS = 4;
const STEEP = 10;
const RUNS = 5;

process.on('message', (target: Target) => process.send?.(attacked(target)));

const shown = ({ start, pump, end }: Attack): string =>
  `${JSON.stringify(start)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(end)}`;

function attacked(target: Target): Attacked {
  const { source, flags, lengths, most, inProportion, count, known } = target;
  const attacks = [...(known ? [known] : []), ...attacksOn(source, flags, count)];
  const expression = new RegExp(source, flags);
  const use = (text: string) =>
    expression.global ? text.replace(expression, '') : expression.test(text);
  for (const length of lengths) {
    for (const attack of attacks) {
      const text = textOf(attack, length);
      const took = fastest(() => use(text), most, most);
      if (took > most || (inProportion && took > NOTICEABLE && grows(attack, length, use, most)))
        return { attack: `${shown(attack)}, ${text.length} characters`, length: text.length, took };
    }
  }
  return null;
}

/** Whether a text four times as long takes more than ten times as long. Four times would be in proportion. */
function grows(
  attack: Attack,
  length: number,
  use: (text: string) => unknown,
  most: number,
): boolean {
  const [short, long] = [length / PARTS, length].map((size) => {
    const text = textOf(attack, size);
    return fastest(() => use(text), 0, most);
  }) as [number, number];
  return long > NOTICEABLE && long > STEEP * short;
}

/** Returns the fastest of several runs in milliseconds, since the first one compiles. Stops at a run within `enough`. */
function fastest(work: () => unknown, enough: number, most: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && least > enough; run += 1) {
    least = Math.min(least, costOf(work, most));
  }
  return least;
}

/**
 * Returns the processor time of work in milliseconds, which is independent of other load. Work that takes too long is
 * interrupted. If it did not get enough processor time until then, it gets another, longer try.
 */
function costOf(work: () => unknown, most: number): number {
  for (let patience = most * PARTS; ; patience *= PARTS) {
    const before = process.cpuUsage();
    const isDone = finishes(work, patience);
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1_000;
    if (isDone || took > most) return took;
  }
}

/** Whether work ends within a timeout in milliseconds. This interrupts even a regular expression. */
function finishes(work: () => unknown, timeout: number): boolean {
  Object.assign(globalThis, { attackedWork: work });
  try {
    runInThisContext('attackedWork()', { timeout });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
