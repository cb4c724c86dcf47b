import type { Context } from '../context.ts';
import type { MemoryCandidate } from '../domain/ranking/candidate.ts';
import {
  RANKING_WEIGHTS,
  type RankingQuery,
  type RankingWeights,
} from '../domain/ranking/ranking.ts';
import type { MemoryReader } from '../memory.ts';
import { memoryFilter, turnFilter } from './filter.ts';
import { type FoundTurns, findTurns } from './find-turns.ts';
import { type Known, knownFacts } from './known-facts.ts';
import type { VectorUse } from './query-vector.ts';
import type { Search } from './search.ts';
import type { TimeRange } from './time-range.ts';

/** What may answer a question. */
export type Candidates = {
  search: Search;
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
 * Recall's third stage: of every kind asked for the best by words and the nearest by vector, and the known facts, unless
 * these were needed before. Where nothing was said in the time that the question names, all times are searched.
 */
export async function findCandidates(
  ctx: Context,
  memory: MemoryReader,
  search: Search,
): Promise<Candidates> {
  const found = await find(ctx, memory, search);
  const range = isEmpty(found) && !search.question.factsOnly ? widened(search.range) : null;
  return range ? find(ctx, memory, { ...search, range, known: found.known }) : found;
}

async function find(ctx: Context, memory: MemoryReader, search: Search): Promise<Candidates> {
  const { question, range, vector, sources } = search;
  const { ranking, forms } = question.reading;
  const { fusion, first, weights: memoryWeights } = ctx.config.recall;
  const query = { ...ranking, range: range?.filters ? null : range };
  const weights = { ...RANKING_WEIGHTS, ...weightsOf(ctx.embedder) };
  const filter = memoryFilter(question, range?.filters ? range : null);
  const by = { userId: memory.userId, vector, embedder: ctx.embedder?.name ?? '', weights };
  const wanted = question.factsOnly ? [] : question.kinds;
  const kinds = wanted.flatMap((kind) => (kind === 'TURN' ? [] : [kind]));
  const isTurnWanted = wanted.includes('TURN');
  const turnsAmong = (reader: MemoryReader) => {
    const only = turnFilter(filter);
    return findTurns(ctx, reader, {
      search: { ...by, terms: query.terms, ...(only ? { filter: only } : {}) },
      sources,
      query,
      scoring: { weights, fusion },
      first: Math.max(question.first ?? first, LEADING),
      floor: memoryWeights.turnFloor,
    });
  };
  const findFactsAndTurns = async (reader: MemoryReader) => {
    const known = search.known ?? (await knownFacts(reader, question));
    return { known, turns: isTurnWanted ? await turnsAmong(reader) : null };
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
  return { search, known, turns, memories, range, query: { ...query, timeZone }, weights, vectors };
}

/** The same without a bound in time, where the question does not insist on it; else null. */
const widened = (range: TimeRange | null): TimeRange | null =>
  range?.filters && !range.isStrict ? { ...range, filters: false } : null;

const isEmpty = ({ turns, memories }: Candidates): boolean =>
  (turns?.scored ?? []).length === 0 && memories.length === 0;

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

/** How much vectors count beside words is the model's own. */
const weightsOf = (embedder: Context['embedder']) =>
  embedder ? { vector: embedder.profile.vectorWeight } : {};
