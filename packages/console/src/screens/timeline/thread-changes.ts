/** The kinds of events after which a thread, or a part of it, is another. */
export const THREAD_CHANGES = [
  'TURNS_REMEMBERED',
  'THREAD_IDLED',
  'THREAD_CLOSED',
  'THREAD_REOPENED',
  'THREAD_COMPACTED',
  'SEGMENT_CLOSED',
  'EPISODE_CREATED',
  'EPISODE_MERGED',
  'EPISODE_SKIPPED',
  'EPISODE_REVISED',
] as const;
