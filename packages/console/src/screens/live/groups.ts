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

const PATTERNS: readonly (readonly [RegExp, Group])[] = [
  [/^TURN/, 'turns'],
  [/^(THREAD|SEGMENT)/, 'threads'],
  [/^(EPISODE|MEMORY_REVIEWED)/, 'episodes'],
  [/^FACT/, 'facts'],
  [/^(LINK|CROSS)/, 'links'],
  [/^(SEMANTIC|PROFILE)/, 'knowledge'],
];

/** The group of a kind of event. */
export const groupOf = (kind: EventKind): Group =>
  PATTERNS.find(([pattern]) => pattern.test(kind))?.[1] ?? 'operations';
