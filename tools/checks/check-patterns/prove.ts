import { check } from 'recheck';
import { analyse } from 'scslre';
import type { Pattern } from './pattern.ts';
import type { Attack } from './samples.ts';

/** Why an expression is slow, and on what; null: no rule objects. */
export type Objection = { reason: string; attack: string } | null;

const NAMES = {
  Self: 'a repetition within itself',
  Trade: 'two repetitions that take the same',
  Move: 'a repetition that is tried from every place',
};

/** The rules for super-linear expressions: they know some kinds of them, quickly, look-behinds included. */
export function objection({ source, flags }: Pattern): Objection {
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return null;
  const degree = report.exponential ? 'exponential' : 'at least quadratic';
  const attack = `${JSON.stringify(report.character.pick)}.repeat(n)`;
  return { reason: `${degree}: ${NAMES[report.type]}`, attack };
}

/** A proof by automata, or a text that should be slow; null: they cannot tell. */
export type Finding = { isLinear: true } | { isLinear: false; attack: Attack } | null;

/**
 * What the automata say in at most so many milliseconds. They know no look-behind, give up on what is large, and sometimes
 * call slow what no engine is slow at: their attack has to be tried.
 */
export async function proofOf({ source, flags }: Pattern, timeout: number): Promise<Finding> {
  const found = await check(source, flags, { checker: 'automaton', timeout });
  if (found.status === 'safe') return { isLinear: true };
  if (found.status === 'unknown') return null;
  const { pumps, suffix } = found.attack;
  const last = pumps[pumps.length - 1];
  if (last === undefined) return null;
  const start = pumps.slice(0, -1).reduce((text, { prefix, pump }) => text + prefix + pump, '');
  return { isLinear: false, attack: { start: start + last.prefix, pump: last.pump, end: suffix } };
}
