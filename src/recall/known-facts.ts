import type { KnownFact } from '../db/facts/recalled.ts';
import { withoutNegated } from '../domain/facts/negated.ts';
import type { MemoryReader } from '../memory.ts';
import type { Question } from './read-question.ts';

/** What is known, and how much of it there is in all. */
export type Known = { facts: KnownFact[]; all: number };

/** Facts of this importance are given where nothing is searched (requirements 12.2). */
const IMPORTANT = 0.5;
/** What matters to every answer: who is answered, and how. */
const STANDING = {
  categories: ['INSTRUCTION'],
  keys: ['profile:name', 'profile:nickname', 'profile:pronouns', 'profile:timezone'],
} as const;
const MOST = 100;

/**
 * The known facts, found exactly and without vectors: what is pinned and what the question names by key; before a message
 * also standing instructions; where only facts are asked for all that are important. None where facts are not asked for.
 */
export async function knownFacts(
  memory: MemoryReader,
  { reading, kinds, asOf, categories, factsOnly, isMessage }: Question,
): Promise<Known> {
  if (!kinds.includes('FACT')) return { facts: [], all: 0 };
  const by = {
    asOf,
    categories,
    keys: reading.keys,
    standing: isMessage ? STANDING : { categories: [], keys: [] },
    importance: factsOnly ? IMPORTANT : null,
    most: MOST,
  };
  const { facts, all } = await memory.recalled.knownFacts(by);
  const held = withoutNegated(facts);
  return { facts: held, all: all - facts.length + held.length };
}

/** Whether a fact may answer the question outright, so that nothing else is begun before. */
export const isLookedUpFirst = ({ reading, kinds, factsOnly }: Question): boolean =>
  !factsOnly && kinds.includes('FACT') && reading.keys.length > 0;

/** Whether these facts answer a question outright. */
export function answers({ facts }: Known, { reading: { keys } }: Question): boolean {
  return facts.some(
    ({ key, polarity }) => key !== null && polarity === 'POSITIVE' && keys.includes(key),
  );
}
