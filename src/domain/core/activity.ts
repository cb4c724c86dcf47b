import { DAY, HOUR, MINUTE, WEEK } from '../../shared/duration.ts';

/** What is counted over time. */
export const ACTIVITY_KINDS = [
  'TURN',
  'THREAD',
  'EPISODE',
  'FACT',
  'SEMANTIC_MEMORY',
  'LINK',
  'REVIEW',
  'EVENT',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** The lengths of a bucket, as PostgreSQL names them, each with about how many milliseconds it has. */
export const ACTIVITY_STEPS = {
  MINUTE,
  HOUR,
  DAY,
  WEEK,
  MONTH: 30 * DAY,
} as const;
export type ActivityStep = keyof typeof ACTIVITY_STEPS;
