import type { Context } from '../context.ts';
import type { TurnSearch } from '../db/search/search.ts';
import type { TurnCandidates } from '../domain/ranking/candidate.ts';
import { isHnswQuicker } from '../domain/ranking/planner.ts';
import type { MemoryReader } from '../memory.ts';

/** A search, and how many turns the memory has where a source before has counted them. */
type SizedSearch = TurnSearch & { size: number | null };

/** The source leaves the search to the next one, and says how many turns the memory has if it has counted them. */
type Declined = { size: number | null };

/** A way to the candidates among a memory's turns. All of them find the same; they differ in what they cost. */
export type TurnSource = (
  ctx: Context,
  memory: MemoryReader,
  search: SizedSearch,
) => Promise<TurnCandidates | Declined>;

/** Up to so many turns, reading all of them is quicker than joining the best; measured, see docs/ranking.md. */
const SMALL = 2_000;

/** Memories whose turns are held, as far as nothing restricts the question. */
export const inMemory: TurnSource = async (ctx, memory, search) => {
  const found = search.filter ? null : await ctx.turnCache.find(memory.tx, search, SMALL);
  return found ?? { size: null };
};

/** Small memories: all turns are read. A memory that is asked twice is held from then on. */
export const scanned: TurnSource = async (ctx, memory, search) => {
  const found = await memory.scanTurns.scanTurns(search, SMALL);
  if (!search.filter) ctx.turnCache.missed(search.userId, search.embedder);
  return found;
};

/**
 * Large memories whose vectors are in the HNSW index. It gives up before it finds many that pass a narrow filter.
 * @param isQuicker whether that is sooner done than looking at all of so many turns, with so many vectors in the index
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

/** Any memory: a statement joins what it finds. */
export const joined: TurnSource = (_ctx, memory, search) => memory.search.searchTurns(search);

/** In the order of what they cost where they are for the memory and the question. */
export const TURN_SOURCES: readonly TurnSource[] = [
  inMemory,
  scanned,
  byIndex(isHnswQuicker),
  joined,
];

/** The candidates by the first of the sources that is for this memory and question; nothing where none is. */
export async function candidatesFrom(
  ctx: Context,
  memory: MemoryReader,
  { search, sources }: { search: TurnSearch; sources: readonly TurnSource[] },
): Promise<TurnCandidates | null> {
  let size: number | null = null;
  for (const source of sources) {
    const answer = await source(ctx, memory, { ...search, size });
    if ('statistics' in answer) return answer;
    size = answer.size ?? size;
  }
  return null;
}
