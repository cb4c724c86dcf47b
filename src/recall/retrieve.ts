import type { Context, RecallContext } from '../context.ts';
import type { MemoryCandidate } from '../domain/ranking/memory-ranking.ts';
import {
  RANKING_WEIGHTS,
  type RankingQuery,
  type RankingWeights,
} from '../domain/ranking/ranking.ts';
import type { MemoryReader } from '../memory.ts';
import { memoryFilter, turnFilter } from './filter.ts';
import { type Known, knownFacts } from './known-facts.ts';
import type { VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { type FoundTurns, retrieveTurns } from './retrieve-turns.ts';
import type { TimeRange } from './time-range.ts';

/** Where and how to look. */
export type Search = {
  question: Question;
  range: TimeRange | null;
  threadIds: readonly number[] | null;
  /** It is what somebody says, not a question to the memory. */
  isMessage: boolean;
  /** The known facts; null where they have not been read yet. */
  known: Known | null;
  vector: ArrayLike<number> | null;
  vectors: VectorUse;
};

/** What may answer a question. */
export type Found = {
  known: Known;
  /** Null when turns are not asked for. */
  turns: FoundTurns | null;
  memories: MemoryCandidate[];
  /** The span of time that was searched; null = all. */
  range: TimeRange | null;
  query: RankingQuery;
  weights: RankingWeights;
  vectors: VectorUse;
};

/** So many of the best turns are found at least: those that are no hits may be shown with an episode. */
export const LEADING = 20;

/**
 * Recall's second stage: the facts that are known without a search, and of every kind asked for the best by words and the
 * nearest by meaning. Where nothing was said in the time that the question names, all times are searched.
 */
export async function retrieve(
  ctx: RecallContext,
  memory: MemoryReader,
  search: Search,
): Promise<Found> {
  const found = await find(ctx, memory, search);
  const range = isEmpty(found) && !search.question.factsOnly ? widened(search.range) : null;
  return range ? find(ctx, memory, { ...search, range, known: found.known }) : found;
}

async function find(ctx: RecallContext, memory: MemoryReader, search: Search): Promise<Found> {
  const { question, range, threadIds, vector } = search;
  const { ranking, forms } = question.reading;
  const query = { ...ranking, range: range?.filters ? null : range };
  const weights = { ...RANKING_WEIGHTS, ...weightsOf(ctx.embedder) };
  const filter = memoryFilter(question, range?.filters ? range : null, threadIds);
  const by = { userId: memory.userId, vector, embedder: ctx.embedder?.name ?? '', weights };
  const wanted = question.factsOnly ? [] : question.kinds;
  const kinds = wanted.flatMap((kind) => (kind === 'TURN' ? [] : [kind]));
  const isTurnWanted = wanted.includes('TURN');
  const findTurns = (reader: MemoryReader) => {
    const only = turnFilter(filter);
    const first = Math.max(question.first ?? ctx.config.recall.first, LEADING);
    const { turnFloor: floor } = ctx.config.recall.weights;
    const among = { ...by, terms: query.terms, ...(only ? { filter: only } : {}) };
    return retrieveTurns(ctx, reader, { search: among, query, first, floor });
  };
  const findFactsAndTurns = async (reader: MemoryReader) => {
    const known = search.known ?? (await knownFacts(reader, question, search.isMessage));
    return { known, turns: isTurnWanted ? await findTurns(reader) : null };
  };
  const findMemories = async (reader: MemoryReader) =>
    kinds.length > 0 ? reader.searchMemories.searchMemories({ ...by, forms, kinds, filter }) : [];
  const [{ known, turns }, memories] =
    isTurnWanted && kinds.length > 0
      ? await both(ctx, memory, [findFactsAndTurns, findMemories])
      : [await findFactsAndTurns(memory), await findMemories(memory)];
  const timeZone = turns?.timeZone ?? query.timeZone;
  const isPartial = search.vectors === 'USED' && turns?.embedded === false;
  const vectors = isPartial ? 'PARTIAL' : search.vectors;
  return { known, turns, memories, range, query: { ...query, timeZone }, weights, vectors };
}

/** The same without a bound in time, where the question does not insist on it; else null. */
const widened = (range: TimeRange | null): TimeRange | null =>
  range?.filters && !range.isStrict ? { ...range, filters: false } : null;

const isEmpty = ({ turns, memories }: Found): boolean =>
  (turns?.placed ?? []).length === 0 && memories.length === 0;

type Read<T> = (memory: MemoryReader) => Promise<T>;

/**
 * Two readings: at once, the second in a transaction of its own, where the database works on several and a connection is
 * free. A recall that holds one must not wait for another. Each statement sees what is committed when it begins, here as there.
 */
async function both<A, B>(
  ctx: Context,
  memory: MemoryReader,
  [first, second]: readonly [Read<A>, Read<B>],
): Promise<[A, B]> {
  const { userId } = memory;
  if (!ctx.db.hasRoom(userId)) return [await first(memory), await second(memory)];
  const [one, other] = await Promise.allSettled([
    first(memory),
    ctx.memory(userId).read(second, { generic: true }),
  ]);
  if (one.status === 'rejected') throw one.reason;
  // A connection that could not be had after all.
  return [one.value, other.status === 'fulfilled' ? other.value : await second(memory)];
}

/** How much meaning counts beside words is the model's own. */
const weightsOf = (embedder: Context['embedder']) =>
  embedder ? { vector: embedder.profile.vectorWeight } : {};
