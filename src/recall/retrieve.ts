import type { Context } from '../context.ts';
import type { MemoryCandidate } from '../domain/ranking/memory-ranking.ts';
import {
  RANKING_WEIGHTS,
  type RankingQuery,
  type RankingWeights,
} from '../domain/ranking/ranking.ts';
import type { MemoryReader } from '../memory.ts';
import { memoryFilter, turnFilter } from './filter.ts';
import type { VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { type FoundTurns, retrieveTurns } from './retrieve-turns.ts';
import type { TimeRange } from './time-range.ts';

/** What may answer a question. */
export type Found = {
  /** Null when turns are not asked for. */
  turns: FoundTurns | null;
  memories: MemoryCandidate[];
  query: RankingQuery;
  weights: RankingWeights;
  vectors: VectorUse;
};

/** Where and how to look. */
export type Search = {
  question: Question;
  range: TimeRange | null;
  threadIds: readonly number[] | null;
  vector: ArrayLike<number> | null;
  use: VectorUse;
  /** What uses the transaction until then. */
  ready: Promise<unknown>;
};

/** So many of the best turns are found at least: those that are no hits may be shown with an episode. */
export const LEADING = 20;

/** Recall's second stage: of every kind asked for the best by words and the nearest by meaning. */
export async function retrieve(
  ctx: Context,
  memory: MemoryReader,
  { question, range, threadIds, vector, use, ready }: Search,
): Promise<Found> {
  const { ranking, forms } = question.reading;
  const query = { ...ranking, range: range?.filters ? null : range };
  const embedder = ctx.embedder?.name ?? '';
  const weights = { ...RANKING_WEIGHTS, ...weightsOf(ctx.embedder) };
  const filter = memoryFilter(question, range?.filters ? range : null, threadIds);
  const kinds = question.kinds.flatMap((kind) => (kind === 'TURN' ? [] : [kind]));
  const { terms } = query;
  const only = turnFilter(filter);
  const search = { userId: memory.userId, vector, embedder, weights };
  const findMemories = (reader: MemoryReader) =>
    reader.searchMemories.searchMemories({ ...search, forms, kinds, filter });
  const first = Math.max(question.first ?? ctx.config.recall.first, LEADING);
  const findTurns = async (reader: MemoryReader) => {
    await ready;
    const among = { ...search, terms, ...(only ? { filter: only } : {}) };
    const { turnFloor: floor } = ctx.config.recall.weights;
    return retrieveTurns(ctx, reader, among, { query, first, floor });
  };
  const find = async (): Promise<[FoundTurns | null, MemoryCandidate[]]> => {
    const isTurnWanted = question.kinds.includes('TURN');
    if (isTurnWanted && kinds.length > 0) return both(ctx, memory, findTurns, findMemories);
    if (isTurnWanted) return [await findTurns(memory), []];
    await ready;
    return [null, kinds.length > 0 ? await findMemories(memory) : []];
  };
  const [turns, memories] = await find();
  const timeZone = turns?.timeZone ?? query.timeZone;
  const vectors = use === 'USED' && turns?.embedded === false ? 'PARTIAL' : use;
  return { turns, memories, query: { ...query, timeZone }, weights, vectors };
}

/** Both, or the failure of one when the other is over too: until then it uses the transaction. */
export async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === 'rejected') throw one.reason;
  if (other.status === 'rejected') throw other.reason;
  return [one.value, other.value];
}

type Read<T> = (memory: MemoryReader) => Promise<T>;

/**
 * Two readings: at once, the second in a transaction of its own, where the database works on several and a connection is
 * free. A recall that holds one must not wait for another. Each statement sees what is committed when it begins, here as there.
 */
async function both<A, B>(
  ctx: Context,
  memory: MemoryReader,
  first: Read<A>,
  second: Read<B>,
): Promise<[A, B]> {
  const { embedded, db } = ctx;
  const { userId } = memory;
  if (embedded || !db.hasRoom(userId)) return [await first(memory), await second(memory)];
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
