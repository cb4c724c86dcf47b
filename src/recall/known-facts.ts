import type { KnownFact } from '../db/facts/recalled.ts';
import { withoutNegated } from '../domain/facts/negated.ts';
import type { MemoryReader } from '../memory.ts';
import type { Question } from './read-question.ts';

/** The known facts that are given, and their total number. */
export type Known = { facts: KnownFact[]; all: number };

/** The importance from which facts are given when only facts are requested (requirements 12.2). */
const IMPORTANT = 0.5;
/** Facts that matter to every answer: who is answered, and how. */
const STANDING = {
  categories: ['INSTRUCTION'],
  keys: ['profile:name', 'profile:nickname', 'profile:pronouns', 'profile:timezone'],
} as const;
const MOST = 100;

/**
 * Reads the known facts, without a search: pinned ones and those whose key the question asks for; for a message also standing
 * instructions; if only facts are requested, all important ones. None if facts are not requested.
 */
export async function factsKnown(
  memory: MemoryReader,
  { reading, kinds, factsAt, categories, factsOnly, isMessage }: Question,
): Promise<Known> {
  if (!kinds.includes('FACT')) return { facts: [], all: 0 };
  const by = {
    at: factsAt,
    categories,
    keys: reading.keys,
    standing: isMessage ? STANDING : { categories: [], keys: [] },
    importance: factsOnly ? IMPORTANT : null,
    most: MOST,
  };
  const { facts, all } = await memory.recalled.knownFacts(by);
  const affirmed = withoutNegated(facts);
  return { facts: affirmed, all: all - facts.length + affirmed.length };
}

/** Whether a fact may answer the question directly, so that known facts are read before candidates are searched for. */
export const isLookedUpFirst = ({ reading, kinds, factsOnly }: Question): boolean =>
  !factsOnly && kinds.includes('FACT') && reading.keys.length > 0;

/** Whether these facts answer a question directly. */
export function answers({ facts }: Known, { reading: { keys } }: Question): boolean {
  return facts.some(
    ({ key, polarity }) => key !== null && polarity === 'POSITIVE' && keys.includes(key),
  );
}
