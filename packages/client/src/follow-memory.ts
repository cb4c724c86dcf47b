import type * as graph from './generated/graphql.ts';
import { type Followed, type FollowOptions, followLog, newestOf } from './resume.ts';
import { COMPACTIONS, EVENTS, LINKING } from './subscriptions.ts';
import type { Transport } from './transport.ts';
import type { CallOptions } from './waiting.ts';

/** Something that happened in a memory, with its cursor. */
export type MemoryEvent = graph.EventFragment;
/** How far a compaction is; its result has a cursor. */
export type CompactionProgress = graph.CompactionsSubscription['compactions'];
/** A stage in the linking of threads; verdicts, episodes and outcomes have a cursor. */
export type LinkingProgress = graph.LinkingSubscription['linking'];

/** Which events to follow, and from where. */
export type EventsOptions = FollowOptions & {
  /** Only these kinds; all kinds by default. */
  kinds?: readonly graph.EventKind[] | undefined;
};

/** What can be followed in a memory. */
export type Following = {
  /** Follows what happens in this memory: over restarts no event is missed and none comes twice. */
  events(options?: EventsOptions): Followed<MemoryEvent>;
  /** Follows compactions: progress as it happens, and every result once, over restarts too. */
  compactions(options?: FollowOptions & { threadId?: string }): Followed<CompactionProgress>;
  /** Follows linking: stages as they happen; verdicts, episodes and outcomes once each, over restarts too. */
  linking(options?: FollowOptions): Followed<LinkingProgress>;
  /**
   * The cursor of the newest event: whoever asks for it, then reads, and then follows with it as `after`, misses nothing in
   * between. Undefined while the memory has no events.
   */
  newestCursor(call?: CallOptions): Promise<string | undefined>;
};

export const createFollowing = (transport: Transport, userId: string | undefined): Following => ({
  events: ({ kinds, ...options } = {}) =>
    followLog(transport, userId, {
      ...options,
      document: EVENTS,
      variables: { kinds: kinds && [...kinds] },
      itemOf: (data) => data.memoryEvents,
    }),
  compactions: ({ threadId, ...options } = {}) =>
    followLog(transport, userId, {
      ...options,
      document: COMPACTIONS,
      variables: { threadId },
      itemOf: (data) => data.compactions,
    }),
  linking: (options = {}) =>
    followLog(transport, userId, {
      ...options,
      document: LINKING,
      itemOf: (data) => data.linking,
    }),
  newestCursor: (call) => newestOf(transport, userId, call),
});
