/**
 * What can speak for linking two threads: the parts of the score (requirements 11.3), and sounding like
 * a continuation. A closed list, so that tuning can name them without a user's words.
 */
export const LINKING_SIGNALS = ['keyword', 'entity', 'topic', 'recency', 'continuation'] as const;
export type LinkingSignal = (typeof LINKING_SIGNALS)[number];
