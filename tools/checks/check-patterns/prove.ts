import { check } from 'recheck';
import { analyse } from 'scslre';
import type { Pattern } from './pattern.ts';
import type { Attack } from './samples.ts';

/** Why an expression is slow, and on which text; null if no rule objects. */
export type Objection = { reason: string; attack: string } | null;

const NAMES = {
  Self: 'a repetition within itself',
  Trade: 'two repetitions that take the same',
  Move: 'a repetition that is tried from every place',
};

/** Applies the lint rules for super-linear expressions. They are quick and support look-behinds, but know only some kinds. */
export function objection({ source, flags }: Pattern): Objection {
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return null;
  const degree = report.exponential ? 'exponential' : 'at least quadratic';
  const attack = `${JSON.stringify(report.character.pick)}.repeat(n)`;
  return { reason: `${degree}: ${NAMES[report.type]}`, attack };
}

/** A proof by automata, or a text that should be slow; null if they cannot decide. */
export type Finding = { isLinear: true } | { isLinear: false; attack: Attack } | null;

/**
 * Examines an expression by automata, for at most `timeout` milliseconds. They do not support look-behinds, give up on large
 * expressions, and sometimes report an attack that is slow in no engine. So the attack must be tried.
 */
export async function proofOf({ source, flags }: Pattern, timeout: number): Promise<Finding> {
  // The automata do not know the flag "d", which changes what a match tells, not how it is found.
  const found = await check(source, flags.replace('d', ''), { checker: 'automaton', timeout });
  if (found.status === 'safe') return { isLinear: true };
  if (found.status === 'unknown') return null;
  const { pumps, suffix } = found.attack;
  const last = pumps[pumps.length - 1];
  if (last === undefined) return null;
  const start = pumps.slice(0, -1).reduce((text, { prefix, pump }) => text + prefix + pump, '');
  return { isLinear: false, attack: { start: start + last.prefix, pump: last.pump, end: suffix } };
}
