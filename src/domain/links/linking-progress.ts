import type { LinkingParts } from './linking.ts';

/** The progress of linking a thread (requirements 11.15), and its later outcome: numbers, and no word of any memory. */
export const LINKING_STAGES = [
  'CANDIDATE',
  'ALGORITHM',
  'REASONER',
  'VERDICT',
  'EPISODE',
  'OUTCOME',
  'TUNING',
] as const;

export type LinkingProgress = {
  stage: (typeof LINKING_STAGES)[number];
  threadId?: number;
  earlierThreadId?: number;
  /** The algorithm's assessment. */
  algorithm?: { score: number; related: boolean; confidence: number; parts: LinkingParts };
  /** The reasoner's. */
  reasoner?: { related: boolean; confidence: number };
  /** The stored decision. */
  linkId?: number;
  /** The cross-thread episode. */
  episodeId?: number;
  /** Whose setting was tuned ('' = the deployment's), and the number of the run. */
  tuning?: { scope: string; number: number };
};
