import { setImmediate } from 'node:timers/promises';
import type { Context, MemoryContext, RecallContext } from '../context.ts';
import type { MemoryCandidate } from '../domain/ranking/candidate.ts';
import {
  RANKING_WEIGHTS,
  type RankingQuery,
  type RankingWeights,
} from '../domain/ranking/ranking.ts';
import type { MemoryReader } from '../memory.ts';
import { memoryFilter, turnFilter } from './filter.ts';
import { type FoundTurns, findTurns } from './find-turns.ts';
import { factsKnown, type Known } from './known-facts.ts';
import type { VectorUse } from './query-vector.ts';
import { readHeld, type Search } from './search.ts';
import type { RecallRange } from './time-range.ts';
import { newest } from './turn-sources.ts';

/** The candidates for a question, and what they were searched by. */
export type Candidates = {
  search: Search;
  known: Known;
  /** Null if turns are not requested. */
  turns: FoundTurns | null;
  memories: MemoryCandidate[];
  /** The period that was searched; null = all time. */
  range: RecallRange | null;
  query: RankingQuery;
  weights: RankingWeights;
  vectors: VectorUse;
};

/** At least this many of the best turns are found, since those that are not hits may be shown with an episode. */
export const LEADING = 20;

/**
 * Recall's third stage: finds candidates of every requested kind, the best by words and the nearest by vector. If nothing is
 * found in the period that the question names, all time is searched. If that finds nothing either, or may not be done, the newest
 * turns of the period are taken: without a vector, words alone may have missed them.
 */
export async function findCandidates(
  ctx: RecallContext,
  memory: MemoryReader,
  search: Search,
): Promise<Candidates> {
  const found = await findUnforgotten(ctx, memory, search);
  const range = isEmpty(found) && !search.question.factsOnly ? widened(search.range) : null;
  const last = range ? await find(ctx, memory, { ...found.search, range }) : found;
  const mayTakeNewest = search.range?.filters && !takesNewest(search) && lacksTurns(last);
  if (!mayTakeNewest || (range && !isEmpty(last))) return last;
  const turns = await turnsAmong(ctx, memory, { ...found.search, held: null, sources: [newest] });
  // Without words and vectors, the turns give no scale for memories that were found.
  return turns?.scored.length ? { ...found, turns: { ...turns, scale: null } } : last;
}

/** Finds with what was read before, unless turns were forgotten or moved since: then with what is read now. */
async function findUnforgotten(
  ctx: RecallContext,
  memory: MemoryReader,
  search: Search,
): Promise<Candidates> {
  if (!search.held) return find(ctx, memory, search);
  const isCurrent = search.held.isCurrent(memory.tx);
  const [found, isRight] = await Promise.all([find(ctx, memory, search), isCurrent]);
  return isRight ? found : find(ctx, memory, { ...search, held: null });
}

async function find(ctx: RecallContext, memory: MemoryReader, search: Search): Promise<Candidates> {
  const { question, range } = search;
  const { by, filter, query } = searchedBy(ctx, memory, search);
  const { weights } = by;
  const { forms } = question.reading;
  const wanted = question.factsOnly ? [] : question.kinds;
  const kinds = wanted.flatMap((kind) => (kind === 'TURN' ? [] : [kind]));
  const isTurnWanted = wanted.includes('TURN');
  const findTurnsOnly = async (reader: MemoryReader) => {
    if (!isTurnWanted) return { held: null, turns: null };
    if (takesNewest(search)) {
      const turns = await turnsAmong(ctx, reader, { ...search, sources: [newest] });
      return { held: search.held, turns: turns && { ...turns, scale: null } };
    }
    const held = search.held ?? (await readHeld(ctx, reader, question));
    return { held, turns: await turnsAmong(ctx, reader, { ...search, held }) };
  };
  const findFactsAndTurns = async (reader: MemoryReader) => {
    const [known, found] = await Promise.all([factsKnown(reader, question), findTurnsOnly(reader)]);
    return { known, ...found };
  };
  const findMemories = async (reader: MemoryReader) =>
    kinds.length > 0 ? reader.searchMemories.searchMemories({ ...by, forms, kinds, filter }) : [];
  const isOneKind = !isTurnWanted || kinds.length === 0;
  const run = search.held ? meanwhile : isOneKind ? oneByOne : both;
  const [{ known, held, turns }, memories] = await run(ctx, memory, [
    findFactsAndTurns,
    findMemories,
  ]);
  const timeZone = turns?.timeZone ?? query.timeZone;
  const isPartial = search.vectors === 'USED' && turns?.embedded === false;
  const vectors = isPartial ? 'PARTIAL' : search.vectors;
  return {
    search: { ...search, held },
    known,
    turns,
    memories,
    range,
    query: { ...query, timeZone },
    weights,
    vectors,
  };
}

/** What a question is searched by, besides its words. */
function searchedBy(ctx: RecallContext, memory: MemoryReader, search: Search) {
  const { question, range, vector } = search;
  const weights: RankingWeights = { ...RANKING_WEIGHTS, ...weightsOf(ctx.embedder) };
  return {
    by: { userId: memory.userId, vector, embedder: ctx.embedder?.name ?? '', weights },
    filter: memoryFilter(question, range?.filters ? range : null),
    query: { ...question.reading.ranking, range: range?.filters ? null : range },
  };
}

/** Finds turns in the sources of a search. */
function turnsAmong(
  ctx: RecallContext,
  memory: MemoryReader,
  search: Search,
): Promise<FoundTurns | null> {
  const { by, filter, query } = searchedBy(ctx, memory, search);
  const { question, held, sources } = search;
  const { fusion, first, weights } = ctx.config.recall;
  const only = turnFilter(filter);
  return findTurns(ctx, memory, {
    search: { ...by, terms: query.terms, ...(only ? { filter: only } : {}) },
    held,
    sources,
    query,
    scoring: { weights: by.weights, fusion },
    first: question.ranksAll
      ? Number.POSITIVE_INFINITY
      : Math.max(question.first ?? first, LEADING),
    floor: weights.turnFloor,
  });
}

/** "What did I do yesterday?" without a vector: there is nothing to search the turns of that day for. */
const takesNewest = ({ range, vector }: Search): boolean =>
  vector === null && range?.filters === true && range.asksForAll;

const lacksTurns = ({ turns }: Candidates): boolean => turns !== null && turns.scored.length === 0;

/** The same range without filtering; null if it does not filter, or the question insists on it. */
const widened = (range: RecallRange | null): RecallRange | null =>
  range?.filters && !range.isStrict ? { ...range, filters: false } : null;

const isEmpty = ({ turns, memories }: Candidates): boolean =>
  (turns?.scored ?? []).length === 0 && memories.length === 0;

type Read<T> = (memory: MemoryReader) => Promise<T>;
type Two<A, B> = readonly [Read<A>, Read<B>];

const oneByOne = async <A, B>(
  _ctx: MemoryContext,
  memory: MemoryReader,
  [first, second]: Two<A, B>,
): Promise<[A, B]> => [await first(memory), await second(memory)];

/** Runs two reads, of which the first keeps this process busy, but hardly the database: the second is sent before. */
function meanwhile<A, B>(
  _ctx: MemoryContext,
  memory: MemoryReader,
  [first, second]: Two<A, B>,
): Promise<[A, B]> {
  const sent = second(memory);
  return Promise.all([setImmediate().then(() => first(memory)), sent]);
}

/**
 * Runs two reads, in parallel if a connection is free; the second then has a transaction of its own. A recall that holds a
 * connection must not wait for another one. Both see what is committed when each statement begins, as in one transaction.
 */
async function both<A, B>(
  ctx: MemoryContext,
  memory: MemoryReader,
  reads: Two<A, B>,
): Promise<[A, B]> {
  const { userId } = memory;
  if (!ctx.db.hasRoom(userId)) return oneByOne(ctx, memory, reads);
  const [first, second] = reads;
  const [one, other] = await Promise.allSettled([
    first(memory),
    ctx.memory(userId).read(second, { generic: true }),
  ]);
  if (one.status === 'rejected') throw one.reason;
  // If the second connection was not available after all, read again on the first.
  return [one.value, other.status === 'fulfilled' ? other.value : await second(memory)];
}

/** The embedder's own weight of vectors, if there is one. */
const weightsOf = (embedder: Context['embedder']) =>
  embedder ? { vector: embedder.profile.vectorWeight } : {};
