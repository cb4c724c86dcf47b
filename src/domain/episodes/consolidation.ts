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

/** Whether the facts of episodes that wait are to be taken now (requirements 10.1); asked by hand, one is enough. */
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
  /** The earliest of them, in order of time. */
  first: readonly {
    /** All that was said before its end is cut into episodes. */
    isSettled: boolean;
    /** A session has ended between it and the next one. */
    endsSession: boolean;
  }[];
};

/** How many of the earliest episodes decide what the next semantic memory takes. */
export const decisiveEpisodes = ({ episodes }: ConsolidationKnobs): number =>
  Math.min(episodes, MOST_EPISODES);

/**
 * How many episodes the next semantic memory takes, the earliest first: as many as make a memory at any time, or fewer that
 * end with a session. Decided by when things were said alone, so that it does not matter when the steps run. 0 while they
 * are too few, or what was said before may still change them; asked by hand, all there are, or equal parts of too many
 * (requirements 10.5).
 */
export function episodesDue(
  { count, first }: Unsummarised,
  knobs: ConsolidationKnobs,
  isAsked: boolean,
): number {
  if (isAsked) return count && Math.ceil(count / Math.ceil(count / MOST_EPISODES));
  const most = decisiveEpisodes(knobs);
  const last = first.findIndex(
    ({ endsSession }, place) =>
      place + 1 === most || (endsSession && place + 1 >= knobs.sessionEpisodes),
  );
  return last >= 0 && first[last]?.isSettled ? last + 1 : 0;
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
