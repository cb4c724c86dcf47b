import { type Attack, attacksOn, textOf } from './samples.ts';

/** An expression to attack, with texts of these lengths, the short ones first. */
export type Target = {
  source: string;
  flags: string;
  lengths: readonly number[];
  /** Milliseconds of processor time that an attack may take. */
  most: number;
  /** Whether the time may not grow faster than the text either. */
  inProportion: boolean;
  count: number;
};

/** The attack that took too long; null if none did. */
export type Attacked = { attack: string; length: number; took: number } | null;

/** Tells of the text that is tried, so that one that never ends is known. */
export type Message = { trying: string } | { done: Attacked };

/** Milliseconds below which a growth is not looked at. */
const NOTICEABLE = 15;
const PARTS = 4;
const STEEP = 10;
const RUNS = 3;

const tell = (message: Message) => process.send?.(message);

process.on('message', (target: Target) => tell({ done: attacked(target) }));

const shown = ({ start, pump, end }: Attack): string =>
  `${JSON.stringify(start)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(end)}`;

function attacked({ source, flags, lengths, most, inProportion, count }: Target): Attacked {
  const attacks = attacksOn(source, flags, count);
  const expression = new RegExp(source, flags);
  const use = (text: string) =>
    expression.global ? text.replace(expression, '') : expression.test(text);
  for (const length of lengths) {
    for (const attack of attacks) {
      const text = textOf(attack, length);
      const attempt = `${shown(attack)}, ${text.length} characters`;
      tell({ trying: attempt });
      const took = fastest(() => use(text), most);
      if (took > most) return { attack: attempt, length: text.length, took };
      if (inProportion && took > NOTICEABLE && grows(attack, length, use)) {
        return { attack: attempt, length: text.length, took };
      }
    }
  }
  return null;
}

/** Whether four times the text takes ten times as long: four times would be in proportion. */
function grows(attack: Attack, length: number, use: (text: string) => unknown): boolean {
  const [short, long] = [length / PARTS, length].map((size) => {
    const text = textOf(attack, size);
    return fastest(() => use(text), 0);
  }) as [number, number];
  return long > NOTICEABLE && long > STEEP * short;
}

/**
 * Processor time, since a busy machine makes the other long: of three runs the fastest, or the first that is fast enough.
 */
function fastest(work: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && least > enough; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
