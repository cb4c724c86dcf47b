export const EVENT_KINDS = [
  'THREAD_OPENED',
  'TURNS_REMEMBERED',
  'THREAD_REOPENED',
  'THREAD_IDLED',
  'THREAD_CLOSED',
  'SEGMENT_CLOSED',
  'EPISODE_CREATED',
  'EPISODE_MERGED',
  'EPISODE_SKIPPED',
  'EPISODE_REVISED',
  'THREAD_COMPACTED',
  'LINK_DECIDED',
  'LINK_RATED',
  'CROSS_THREAD_CREATED',
  'CROSS_THREAD_EXTENDED',
  'CROSS_THREAD_MERGED',
  'CROSS_THREAD_REDUCED',
  'CROSS_THREAD_SUMMARIZED',
  'LINKING_TUNED',
  'FACT_RECORDED',
  'FACT_SUPERSEDED',
  'FACT_REFUSED',
  'FACT_RETRACTED',
  'FACT_RESTORED',
  'EPISODES_CONSOLIDATED',
  'SEMANTIC_MEMORY_FORMED',
  'SEMANTIC_MEMORY_REBUILT',
  'PROFILE_REVISED',
  'MEMORY_REVIEWED',
  'TURNS_EMBEDDED',
  'TURN_UNREAD',
  'VECTORS_DROPPED',
  'JOB_DIED',
  'MEMORY_FORGOTTEN',
  'MEMORY_EXPORTED',
  'MEMORY_IMPORTED',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** An event before it is numbered. */
export type EventDraft = {
  kind: EventKind;
  threadId?: number;
  episodeId?: number;
  factId?: number;
  /** The turns it is about, as an unbroken range of ids. */
  firstTurnId?: number;
  lastTurnId?: number;
  /** What was decided and why, for people to read. It contains no words of any memory. */
  decision: string;
  details?: Record<string, number | string>;
};
