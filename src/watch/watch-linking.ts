import type { WatchContext } from '../context.ts';
import { encodeCursor } from '../domain/core/cursor.ts';
import type { EventKind } from '../domain/core/event.ts';
import type { LinkingProgress } from '../domain/links/linking-progress.ts';
import { keysOf } from '../shared/keys-of.ts';
import { followLog, type LogPlace, type MemoryEvent } from './watch-events.ts';

/** A stage in the linking of threads, and its cursor if it is a result that is stored; null otherwise. */
export type WatchedLinking = LinkingProgress & { userId: string; cursor: string | null };

/** The events that are results of linking, and the stage that each reports. */
const STAGES: Partial<Record<EventKind, LinkingProgress['stage']>> = {
  LINK_DECIDED: 'VERDICT',
  LINK_RATED: 'OUTCOME',
  CROSS_THREAD_CREATED: 'EPISODE',
  CROSS_THREAD_EXTENDED: 'EPISODE',
  CROSS_THREAD_MERGED: 'EPISODE',
  CROSS_THREAD_REDUCED: 'EPISODE',
  CROSS_THREAD_SUMMARIZED: 'EPISODE',
};
const KINDS = keysOf(STAGES);

/**
 * Streams linking: candidates, assessments and tuning as they happen, also tuning for all users; verdicts, episodes and
 * outcomes from the event log, each once and in order. What is not stored is not repeated later.
 * @throws CursorInvalid, CursorExpired before the first item
 */
export const watchLinking = (
  ctx: WatchContext,
  userId: string,
  place: LogPlace,
): Promise<AsyncIterable<WatchedLinking>> =>
  followLog<WatchedLinking>(ctx, userId, {
    kinds: KINDS,
    place,
    itemOf: resultOf,
    listen: (push) =>
      ctx.publisher.onProgress((owner, progress) => {
        if (progress.of !== 'linking' || (owner !== null && owner !== userId)) return;
        push({ ...progress, userId, cursor: null });
      }),
  });

function resultOf({ userId, number, kind, threadId, episodeId, details }: MemoryEvent) {
  const stage = STAGES[kind];
  // An episode that was dissolved is no more.
  if (stage === undefined || (stage === 'EPISODE' && episodeId === null)) return null;
  const { link: linkId, earlier } = (details ?? {}) as { link?: number; earlier?: number };
  return {
    ...{ userId, stage, cursor: encodeCursor(userId, number) },
    ...(threadId === null ? {} : { threadId }),
    ...(earlier === undefined ? {} : { earlierThreadId: earlier }),
    ...(linkId === undefined ? {} : { linkId }),
    ...(episodeId === null ? {} : { episodeId }),
  };
}
