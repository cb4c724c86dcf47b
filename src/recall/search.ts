import type { MemoryContext, Needs } from '../context.ts';
import { answers, factsKnown, isLookedUpFirst, type Known } from './known-facts.ts';
import { queryVector, type VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { type RecallRange, rangeOf } from './time-range.ts';
import { TURN_SOURCES, type TurnSource } from './turn-sources.ts';

/** How a question is searched for. */
export type Search = {
  question: Question;
  range: RecallRange | null;
  /** The known facts; null if they are still to be read, together with the candidates. */
  known: Known | null;
  vector: ArrayLike<number> | null;
  vectors: VectorUse;
  /** The sources of turns; the first that suits the memory and the question is used. */
  sources: readonly TurnSource[];
};

/**
 * Recall's second stage: determines the period that the question names and its vector. If a known fact may answer directly,
 * the known facts are read first, so that no vector is needed.
 * @throws InvalidInput
 */
export async function prepareSearch(
  ctx: MemoryContext & Needs<'rules' | 'logger' | 'tracing'>,
  userId: string,
  question: Question,
): Promise<Search> {
  const { isMessage, intent, factsOnly, now } = question;
  // A message that does not ask the memory may name a future time.
  const namesRange = !isMessage || intent === 'RECALL';
  const range = namesRange ? await rangeOf(ctx, userId, { ...question, now }) : null;
  const known = isLookedUpFirst(question)
    ? await ctx.memory(userId).read((memory) => factsKnown(memory, question))
    : null;
  const isAnswered = factsOnly || (known !== null && answers(known, question));
  const { vector, use } = isAnswered
    ? { vector: null, use: 'NOT_NEEDED' as const }
    : await queryVector(ctx, userId, question);
  return { question, range, known, vector, vectors: use, sources: TURN_SOURCES };
}
