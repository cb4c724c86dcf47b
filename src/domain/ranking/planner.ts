/** What it costs to look at a vector through the HNSW index, as a multiple of looking at it in turn; see docs/ranking.md. */
const INDEX_COST = 10;
/** Vectors of the user that the index is to find. */
const WANTED = 400;

/**
 * Whether HNSW finds the nearest of a memory sooner than looking at all of it. The index holds the vectors of all large
 * memories and is read until enough are the user's: the smaller the share of one memory, the longer.
 */
export const isHnswQuicker = (turns: number, indexed: number): boolean =>
  (WANTED * INDEX_COST * indexed) / turns < turns;
