import type { Chat } from './chat-file.ts';
import type { MadeSegment } from './read-memory.ts';

type Keep = Chat['keep'][number];

/** What became of the talk that deserves an episode. */
export type EpisodeScore = {
  covered: { keep: Keep; episodes: MadeSegment[]; missing: RegExp[] }[];
  uncovered: Keep[];
  /** Expressions of the gists of what is covered. */
  gist: { wanted: number; matched: number };
  /** Segments that became an episode of their own or a part of one. */
  episodes: MadeSegment[];
  /** Those of them without any of the labelled talk. */
  extra: MadeSegment[];
};

/**
 * Talk is covered when at least half of its turns lie in episodes, created or merged. Its gist is looked for in the
 * titles and summaries of all episodes that hold some of it.
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
  const missing = covered.reduce((sum, own) => sum + own.missing.length, 0);
  const useful = new Set(judged.flatMap((own) => own.episodes));
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
  const held = wanted.filter((n) => episodes.some(({ turns }) => turns.includes(n)));
  const told = episodes.map(({ title, summary }) => `${title ?? ''} ${summary ?? ''}`);
  const text = told.join(' ').replace(/\s+/g, ' ');
  const missing = keep.gist.filter((expression) => !expression.test(text));
  return { keep, episodes, missing, isCovered: held.length * 2 >= wanted.length };
}
