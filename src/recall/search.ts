import type { Context } from '../context.ts';
import { answers, isLookedUpFirst, type Known, knownFacts } from './known-facts.ts';
import { queryVector, type VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { rangeOf, type TimeRange } from './time-range.ts';
import { TURN_SOURCES, type TurnSource } from './turn-sources.ts';

/** Where and how to look for what answers a question. */
export type Search = {
  question: Question;
  range: TimeRange | null;
  /** The known facts; null where they are read together with the candidates. */
  known: Known | null;
  vector: ArrayLike<number> | null;
  vectors: VectorUse;
  /** Where turns are looked for; the first that is for this memory and question answers. */
  sources: readonly TurnSource[];
};

/**
 * Recall's second stage: the span of time that the question names, its vector, and the known facts where one of them may
 * answer outright, so that no vector is needed.
 * @throws InvalidInput
 */
export async function prepareSearch(
  ctx: Context,
  userId: string,
  question: Question,
): Promise<Search> {
  const { isMessage, intent, factsOnly, now } = question;
  // A message that is no question to the memory may name a time to come.
  const namesRange = !isMessage || intent === 'RECALL';
  const range = namesRange ? await rangeOf(ctx, userId, { ...question, now }) : null;
  const known = isLookedUpFirst(question)
    ? await ctx.memory(userId).read((memory) => knownFacts(memory, question))
    : null;
  const isAnswered = factsOnly || (known !== null && answers(known, question));
  const { vector, use } = isAnswered
    ? { vector: null, use: 'NOT_NEEDED' as const }
    : await queryVector(ctx, userId, question);
  return { question, range, known, vector, vectors: use, sources: TURN_SOURCES };
}
