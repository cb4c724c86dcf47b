const EPISODE_KINDS = ['PRIMARY', 'SEGMENT'] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];
