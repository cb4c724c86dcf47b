/** The cost of reading a vector through the HNSW index, as a multiple of reading it in a scan; see docs/ranking.md. */
const INDEX_COST = 10;
/** How many of the user's vectors the index must find. */
const WANTED = 400;

/**
 * Whether HNSW finds the nearest vectors of a memory faster than a scan. The index contains the vectors of all large memories
 * and is read until enough of them are the user's, so a memory with a small share takes longer.
 * @param turns of the memory
 * @param indexed the vectors of all users in the index
 */
export const isHnswQuicker = (turns: number, indexed: number): boolean =>
  (WANTED * INDEX_COST * indexed) / turns < turns;
