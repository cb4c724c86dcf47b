import type { EventKind } from '@mnemograph/client';

/** What an event is about, in the order in which the screens show it. */
export const GROUPS = [
  'turns',
  'threads',
  'episodes',
  'facts',
  'links',
  'knowledge',
  'operations',
] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Record<EventKind, Group> = {
  TURNS_REMEMBERED: 'turns',
  TURNS_EMBEDDED: 'turns',
  TURN_UNREAD: 'turns',
  THREAD_OPENED: 'threads',
  THREAD_REOPENED: 'threads',
  THREAD_IDLED: 'threads',
  THREAD_CLOSED: 'threads',
  THREAD_COMPACTED: 'threads',
  SEGMENT_CLOSED: 'threads',
  EPISODE_CREATED: 'episodes',
  EPISODE_MERGED: 'episodes',
  EPISODE_SKIPPED: 'episodes',
  EPISODE_REVISED: 'episodes',
  MEMORY_REVIEWED: 'episodes',
  EPISODES_CONSOLIDATED: 'facts',
  FACT_RECORDED: 'facts',
  FACT_REFUSED: 'facts',
  FACT_SUPERSEDED: 'facts',
  FACT_RETRACTED: 'facts',
  FACT_RESTORED: 'facts',
  LINK_DECIDED: 'links',
  LINK_RATED: 'links',
  LINKING_TUNED: 'links',
  CROSS_THREAD_CREATED: 'links',
  CROSS_THREAD_EXTENDED: 'links',
  CROSS_THREAD_MERGED: 'links',
  CROSS_THREAD_REDUCED: 'links',
  CROSS_THREAD_SUMMARIZED: 'links',
  SEMANTIC_MEMORY_FORMED: 'knowledge',
  SEMANTIC_MEMORY_REBUILT: 'knowledge',
  PROFILE_REVISED: 'knowledge',
  MEMORY_EXPORTED: 'operations',
  MEMORY_FORGOTTEN: 'operations',
  MEMORY_IMPORTED: 'operations',
  JOB_DIED: 'operations',
  VECTORS_DROPPED: 'operations',
};

/** All kinds of events, group by group. */
export const KINDS = Object.keys(GROUP_OF) as EventKind[];

/** The group of a kind of event. A kind that only a newer server knows is among the operations. */
export const groupOf = (kind: EventKind): Group => GROUP_OF[kind] ?? 'operations';

/** The kinds of events that a group holds, or the one of this name; null for all. */
export const kindsOf = (name: string): EventKind[] | null =>
  name === '' ? null : KINDS.filter((kind) => kind === name || GROUP_OF[kind] === name);
