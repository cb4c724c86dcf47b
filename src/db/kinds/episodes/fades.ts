/** SQL for whether an episode fades and can be reviewed: a segment that was captured as an episode, or a cross-thread episode. */
export const fades = (episode: string): string =>
  `(${episode}.capture = 'CREATED' OR ${episode}.kind = 'CROSS_THREAD')`;
