/** The most episodes in one semantic memory. */
const MOST_EPISODES = 200;

/** How many episodes make a semantic memory. */
export type ConsolidationKnobs = {
  /** At any time. */
  episodes: number;
  /** At the end of a session. */
  sessionEpisodes: number;
  /** How many episodes it takes for their facts to be extracted. */
  factEpisodes: number;
};

/** Whether the facts of waiting episodes are to be extracted now (requirements 10.1); on request, one episode is enough. */
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
    /** Everything that was said before its end has been cut into segments. */
    isSettled: boolean;
    /** A session has ended between it and the next one. */
    endsSession: boolean;
  }[];
};

/** How many of the earliest episodes are read to decide what the next semantic memory takes. */
export const decisiveEpisodes = ({ episodes }: ConsolidationKnobs): number =>
  Math.min(episodes, MOST_EPISODES);

/**
 * How many episodes the next semantic memory takes, the earliest first: as many as make a memory at any time, or fewer if they
 * end with a session. Only the times of the episodes decide, so it does not matter when the steps run. 0 while there
 * are too few, or while earlier turns may still change them. On request: all of them, or equal parts of too many
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

/** The mean number of turns, and of episodes, in one semantic memory. */
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
