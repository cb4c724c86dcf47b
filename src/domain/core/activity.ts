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
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 604_800_000,
  MONTH: 2_592_000_000,
} as const;
export type ActivityStep = keyof typeof ACTIVITY_STEPS;
