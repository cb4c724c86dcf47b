import { check } from 'recheck';
import { analyse } from 'scslre';
import type { Pattern } from './pattern.ts';

/** What the checkers of expressions say; null: they cannot tell. */
export type Proof = { isLinear: boolean; reason: string; attack: string } | null;

const NAMES = {
  Self: 'a repetition within itself',
  Trade: 'two repetitions that take the same',
  Move: 'a repetition that is tried from every place',
};

/** The rules for super-linear expressions: they know some kinds of them, quickly, look-behinds included. */
export function objection({ source, flags }: Pattern): Proof {
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return null;
  const degree = report.exponential ? 'exponential' : 'at least quadratic';
  const attack = `${JSON.stringify(report.character.pick)}.repeat(n)`;
  return { isLinear: false, reason: `${degree}: ${NAMES[report.type]}`, attack };
}

/** The proof by automata, in at most so many milliseconds. It knows no look-behind, and gives up on what is large. */
export async function proofOf({ source, flags }: Pattern, timeout: number): Promise<Proof> {
  const found = await check(source, flags, { checker: 'automaton', timeout });
  if (found.status === 'safe') return { isLinear: true, reason: '', attack: '' };
  if (found.status === 'unknown') return null;
  const { type } = found.complexity;
  const reason = type === 'polynomial' ? `polynomial of degree ${found.complexity.degree}` : type;
  return { isLinear: false, reason, attack: found.attack.pattern };
}
