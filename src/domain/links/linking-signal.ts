/**
 * The signals for linking two threads: the parts of the score (requirements 11.3), and whether the message sounds like a
 * continuation. The list is closed, so that tuning can name signals without a user's words.
 */
export const LINKING_SIGNALS = ['keyword', 'entity', 'topic', 'recency', 'continuation'] as const;
export type LinkingSignal = (typeof LINKING_SIGNALS)[number];
