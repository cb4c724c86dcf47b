import type { RecallContext } from '../context.ts';
import type { HeldTurns } from '../db/search/turn-cache.ts';
import type { MemoryReader } from '../memory.ts';
import { answers, factsKnown, isLookedUpFirst, type Known } from './known-facts.ts';
import { queryVector, type VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { type RecallRange, rangeOf } from './time-range.ts';
import { SMALL, TURN_SOURCES, type TurnSource } from './turn-sources.ts';

/** What a search reads that takes no vector. */
export type ReadAhead = {
  known: Known;
  /** What it needs of a cached memory, see `TurnCache`; null if turns are not requested. */
  held: HeldTurns | null;
};

/** How a question is searched for. */
export type Search = {
  question: Question;
  range: RecallRange | null;
  /** Null if it is still to be read, with the candidates. */
  ahead: ReadAhead | null;
  vector: ArrayLike<number> | null;
  vectors: VectorUse;
  /** The sources of turns; the first that suits the memory and the question is used. */
  sources: readonly TurnSource[];
};

/**
 * Recall's second stage: determines the period that the question names and its vector. While the embedder makes the vector, what
 * takes none is read. If a known fact may answer directly, it is read first, so that no vector is needed.
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
    vectorAndAhead(ctx, userId, question),
  ]);
  return { question, range, ...found, sources: TURN_SOURCES };
}

/** The vector, if it is needed, and what was read while it was made. */
async function vectorAndAhead(
  ctx: RecallContext,
  userId: string,
  question: Question,
): Promise<Pick<Search, 'vector' | 'vectors' | 'ahead'>> {
  const notNeeded = { vector: null, vectors: 'NOT_NEEDED' as const };
  if (question.factsOnly) return { ...notNeeded, ahead: null };
  const read = () =>
    ctx.memory(userId).read((memory) => readAhead(ctx, memory, question), { generic: true });
  const make = () => question.early ?? queryVector(ctx, userId, question);
  if (isLookedUpFirst(question)) {
    const ahead = await read();
    return { ...(answers(ahead.known, question) ? notNeeded : await make()), ahead };
  }
  const isMade = ctx.embedder !== null && question.vector === null;
  const isAnyRead = question.kinds.includes('FACT') || ctx.turnCache.holds(userId);
  const [made, ahead] = await Promise.all([make(), isMade && isAnyRead ? read() : null]);
  return { ...made, ahead };
}

/** Reads what takes no vector, in one round trip. */
export async function readAhead(
  { turnCache, embedder }: RecallContext,
  memory: MemoryReader,
  question: Question,
): Promise<ReadAhead> {
  const { terms } = question.reading.ranking;
  const name = embedder?.name ?? '';
  const isTurnWanted = !question.factsOnly && question.kinds.includes('TURN');
  const [known, held] = await Promise.all([
    factsKnown(memory, question),
    isTurnWanted ? turnCache.read(memory.tx, { terms, embedder: name }, SMALL) : null,
  ]);
  return { known, held };
}
