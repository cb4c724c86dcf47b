import type { RecallContext } from '../context.ts';
import type { HeldTurns } from '../db/search/turn-cache.ts';
import type { MemoryReader } from '../memory.ts';
import { answers, factsKnown, isLookedUpFirst } from './known-facts.ts';
import { queryVector, type VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { type RecallRange, rangeOf } from './time-range.ts';
import { SMALL, TURN_SOURCES, type TurnSource } from './turn-sources.ts';

/** How a question is searched for. */
export type Search = {
  question: Question;
  range: RecallRange | null;
  /** What was read ahead of a cached memory, see `TurnCache`; null if not read yet, or turns are not requested. */
  held: HeldTurns | null;
  vector: ArrayLike<number> | null;
  vectors: VectorUse;
  /** The sources of turns; the first that suits the memory and the question is used. */
  sources: readonly TurnSource[];
};

/**
 * Recall's second stage: determines the period that the question names and its vector. While the embedder makes the vector, what
 * needs none is read of a cached memory. If a known fact may answer directly, the known facts are read first: then no vector
 * is needed.
 * @throws InvalidInput
 */
export async function prepareSearch(
  ctx: RecallContext,
  userId: string,
  question: Question,
): Promise<Search> {
  const { isMessage, intent, now } = question;
  // A message that does not ask the memory may name a future time.
  const namesRange = !isMessage || intent === 'RECALL';
  const [range, found] = await Promise.all([
    namesRange ? rangeOf(ctx, userId, { ...question, now }) : null,
    vectorAndHeld(ctx, userId, question),
  ]);
  return { question, range, ...found, sources: TURN_SOURCES };
}

/** The vector, if it is needed, and what was read while it was made. */
async function vectorAndHeld(
  ctx: RecallContext,
  userId: string,
  question: Question,
): Promise<Pick<Search, 'vector' | 'vectors' | 'held'>> {
  if (question.factsOnly || (await isAnswered(ctx, userId, question))) {
    return { vector: null, vectors: 'NOT_NEEDED', held: null };
  }
  const isMade = ctx.embedder !== null && question.vector === null;
  const isHeld = question.kinds.includes('TURN') && ctx.turnCache.holds(userId);
  const [made, held] = await Promise.all([
    question.early ?? queryVector(ctx, userId, question),
    isMade && isHeld
      ? ctx.memory(userId).read((memory) => readHeld(ctx, memory, question), { generic: true })
      : null,
  ]);
  return { ...made, held };
}

/** Whether a known fact answers directly. The facts are read again for the answer: they may be forgotten meanwhile. */
async function isAnswered(
  ctx: RecallContext,
  userId: string,
  question: Question,
): Promise<boolean> {
  if (!isLookedUpFirst(question)) return false;
  const known = await ctx.memory(userId).read((memory) => factsKnown(memory, question));
  return answers(known, question);
}

/** Reads what a search for turns needs of a cached memory; null if it is not cached. */
export function readHeld(
  { turnCache, embedder }: RecallContext,
  memory: MemoryReader,
  { reading }: Question,
): Promise<HeldTurns | null> {
  const search = { terms: reading.ranking.terms, embedder: embedder?.name ?? '' };
  return turnCache.read(memory.tx, search, SMALL);
}
