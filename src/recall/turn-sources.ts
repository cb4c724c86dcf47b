import type { RecallContext } from '../context.ts';
import type { TurnSearch } from '../db/search/search.ts';
import type { HeldTurns } from '../db/search/turn-cache.ts';
import type { TurnCandidates } from '../domain/ranking/candidate.ts';
import { isHnswQuicker } from '../domain/ranking/planner.ts';
import type { MemoryReader } from '../memory.ts';

/**
 * A search, with what was read for it of a cached memory, and the number of turns in the memory if an earlier source has
 * counted them.
 */
type SizedSearch = TurnSearch & { held: HeldTurns | null; size: number | null };

/** The source passes the search on to the next one, with the number of turns in the memory if it has counted them. */
type Declined = { size: number | null };

/** A source of candidates among a memory's turns. All sources find the same candidates; they differ in cost. */
export type TurnSource = (
  ctx: RecallContext,
  memory: MemoryReader,
  search: SizedSearch,
) => Promise<TurnCandidates | Declined>;

/** Up to this many turns, reading all of them is faster than joining the best (measured, see docs/ranking.md). */
export const SMALL = 2_000;

/** For memories in the turn cache. */
export const inMemory: TurnSource = async (_ctx, _memory, { held, ...search }) =>
  held?.embedder === search.embedder ? held.find(search) : { size: null };

/** For small memories: reads all turns. A memory that is searched twice is cached from then on. */
export const scanned: TurnSource = async (ctx, memory, search) => {
  const found = await memory.scanTurns.scanTurns(search, SMALL);
  ctx.turnCache.missed(search.userId, search.embedder);
  return found;
};

/**
 * For large memories whose vectors are in the HNSW index. Not for questions with a filter, because the index scan would end
 * before it finds enough turns that pass it.
 * @param isQuicker whether the index is faster than a scan, given the turns of the memory and the vectors in the index
 */
export const byIndex =
  (isQuicker: typeof isHnswQuicker): TurnSource =>
  async (ctx, memory, search) => {
    const { vector, embedder, filter, weights, size } = search;
    const { hnswFrom } = ctx.config.recall;
    const declined = { size };
    if (!vector || filter || (size !== null && size < hnswFrom)) return declined;
    const { through, turns, indexed } = await memory.hnsw.state(embedder, vector.length);
    if (through === 0 || turns < hnswFrom || !isQuicker(turns, indexed)) return declined;
    const by = { through, most: weights.candidates };
    const nearest = await memory.hnsw.nearest(embedder, vector, by);
    return nearest ? memory.search.searchTurns({ ...search, nearest }) : declined;
  };

/** For any memory: one statement joins what it finds. */
export const joined: TurnSource = (_ctx, memory, search) => memory.search.searchTurns(search);

/** For what neither words nor a vector can find: the newest turns that pass the filter. */
export const newest: TurnSource = (_ctx, memory, search) => memory.newestTurns.newestTurns(search);

/** All sources, the cheapest first. */
export const TURN_SOURCES: readonly TurnSource[] = [
  inMemory,
  scanned,
  byIndex(isHnswQuicker),
  joined,
];

/** The candidates from the first source that suits the memory and the question; null if none does. */
export async function candidatesFrom(
  ctx: RecallContext,
  memory: MemoryReader,
  {
    search,
    held,
    sources,
  }: { search: TurnSearch; held: HeldTurns | null; sources: readonly TurnSource[] },
): Promise<TurnCandidates | null> {
  let size: number | null = null;
  for (const source of sources) {
    const answer = await source(ctx, memory, { ...search, held, size });
    if ('statistics' in answer) return answer;
    size = answer.size ?? size;
  }
  return null;
}
