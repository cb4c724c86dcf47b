import type { Chat } from './chat-file.ts';
import type { MadeSegment } from './read-memory.ts';

type Keep = Chat['keep'][number];

/** How the labelled turns that deserve an episode were captured. */
export type EpisodeScore = {
  covered: { keep: Keep; episodes: MadeSegment[]; missing: RegExp[] }[];
  uncovered: Keep[];
  /** How many expressions of the covered gists are wanted, and how many match. */
  gist: { wanted: number; matched: number };
  /** Segments that became an episode or were merged into one. */
  episodes: MadeSegment[];
  /** Those of `episodes` that contain no labelled turn. */
  extra: MadeSegment[];
};

/**
 * A label is covered if at least half of its turns are in episodes, created or merged. Its gist is searched in the titles
 * and summaries of all episodes that contain any of its turns.
 */
export function scoreEpisodes(
  { keep, conversations }: Pick<Chat, 'keep' | 'conversations'>,
  segments: readonly MadeSegment[],
): EpisodeScore {
  const episodes = segments.filter(({ capture }) => capture === 'CREATED' || capture === 'MERGED');
  const numbers = conversations.flatMap(({ turns }) => turns.map(({ n }) => n));
  const judged = keep.map((one) => judge(one, numbers, episodes));
  const covered = judged.filter(({ isCovered }) => isCovered);
  const wanted = covered.reduce((sum, { keep: { gist } }) => sum + gist.length, 0);
  const missing = covered.reduce((sum, one) => sum + one.missing.length, 0);
  const useful = new Set(judged.flatMap((one) => one.episodes));
  return {
    covered,
    uncovered: judged.filter(({ isCovered }) => !isCovered).map((one) => one.keep),
    gist: { wanted, matched: wanted - missing },
    episodes,
    extra: episodes.filter((episode) => !useful.has(episode)),
  };
}

function judge(keep: Keep, numbers: readonly number[], all: readonly MadeSegment[]) {
  const [first, last] = keep.turns;
  const wanted = numbers.filter((n) => n >= first && n <= last);
  const episodes = all.filter(({ turns }) => wanted.some((n) => turns.includes(n)));
  const captured = wanted.filter((n) => episodes.some(({ turns }) => turns.includes(n)));
  const texts = episodes.map(({ title, summary }) => `${title ?? ''} ${summary ?? ''}`);
  const text = texts.join(' ').replace(/\s+/g, ' ');
  const missing = keep.gist.filter((expression) => !expression.test(text));
  return { keep, episodes, missing, isCovered: captured.length * 2 >= wanted.length };
}
