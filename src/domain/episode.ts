const EPISODE_KINDS = ['PRIMARY', 'SEGMENT', 'CROSS_THREAD'] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];
