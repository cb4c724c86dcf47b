/** Episodes of one semantic memory at most. */
const MOST_EPISODES = 200;

/** How many episodes make a semantic memory. */
export type ConsolidationKnobs = {
  /** At any time. */
  episodes: number;
  /** At the end of a session. */
  sessionEpisodes: number;
  /** From how many on their facts are taken. */
  factEpisodes: number;
};

/** Whether the facts of episodes that wait are to be taken now (system.md §6); asked by hand, one is enough. */
export function areFactsDue(
  { count, flashbulbs }: { count: number; flashbulbs: number },
  { factEpisodes }: ConsolidationKnobs,
  isAsked: boolean,
): boolean {
  return count > 0 && (isAsked || flashbulbs > 0 || count >= factEpisodes);
}

/** Episodes that are in no semantic memory. */
export type Unsummarised = {
  count: number;
  /** Those of them that were over when the last session ended. */
  atSessionEnd: number;
};

/**
 * How many episodes the next semantic memory takes, the earliest first: all there are, or equal parts of too many (seed
 * 003, "Decisions"). 0 while they are too few; asked by hand, one is enough.
 */
export function episodesDue(
  { count, atSessionEnd }: Unsummarised,
  knobs: ConsolidationKnobs,
  isAsked: boolean,
): number {
  const isDue = isAsked || count >= knobs.episodes || atSessionEnd >= knobs.sessionEpisodes;
  return isDue && count > 0 ? Math.ceil(count / Math.ceil(count / MOST_EPISODES)) : 0;
}

/** How much was made into how little. */
export type Compression = { turnsPerMemory: number; episodesPerMemory: number };

/** Null without a semantic memory. */
export function compressionOf(
  memories: readonly { episodeCount: number; turnCount: number }[],
): Compression | null {
  if (memories.length === 0) return null;
  const mean = (of: 'episodeCount' | 'turnCount') =>
    memories.reduce((sum, memory) => sum + memory[of], 0) / memories.length;
  return { turnsPerMemory: mean('turnCount'), episodesPerMemory: mean('episodeCount') };
}
