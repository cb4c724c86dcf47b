const EPISODE_KINDS = ['PRIMARY', 'SEGMENT', 'CROSS_THREAD'] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];

/** The text by which an episode is found: its title and summary, if it has them. */
export const foundBy = ({ title, summary }: { title: string | null; summary: string | null }) =>
  [title, summary].filter((part) => part !== null).join('. ');
