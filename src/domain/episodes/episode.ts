const EPISODE_KINDS = ['PRIMARY', 'SEGMENT', 'CROSS_THREAD'] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];

/** What an episode is found by: its title and summary, those of them that it has. */
export const foundBy = ({ title, summary }: { title: string | null; summary: string | null }) =>
  [title, summary].filter((part) => part !== null).join('. ');
