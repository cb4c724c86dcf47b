import type { WatchContext } from '../context.ts';
import { encodeCursor } from '../domain/core/cursor.ts';
import type { CompactionProgress } from '../domain/episodes/compaction.ts';
import { followLog, type LogPlace, type MemoryEvent } from './watch-events.ts';

/** The progress of a compaction, and the cursor of its result; null before there is one. */
export type WatchedCompaction = CompactionProgress & { userId: string; cursor: string | null };

/**
 * Streams compactions: their progress as it happens, and their results from the event log, each once and in order. Progress
 * is not stored: what happens without a subscriber is not repeated later, but its result is.
 * @param threadId limits the stream to one thread; null = all threads of the user
 * @throws CursorInvalid, CursorExpired before the first item
 */
export function watchCompactions(
  ctx: WatchContext,
  userId: string,
  { threadId, ...place }: LogPlace & { threadId: number | null },
): Promise<AsyncIterable<WatchedCompaction>> {
  const isWanted = (id: number | null) => threadId === null || threadId === id;
  return followLog<WatchedCompaction>(ctx, userId, {
    kinds: ['THREAD_COMPACTED'],
    place,
    itemOf: (event) => (isWanted(event.threadId) ? resultOf(event) : null),
    listen: (push) =>
      ctx.publisher.onProgress((owner, progress) => {
        if (progress.of !== 'compaction' || owner !== userId || !isWanted(progress.threadId))
          return;
        push({ ...progress, userId, cursor: null });
      }),
  });
}

function resultOf({ userId, number, threadId, episodeId, details }: MemoryEvent) {
  if (threadId === null) return null;
  const { turns = 0, skills = 0 } = (details ?? {}) as { turns?: number; skills?: number };
  const cursor = encodeCursor(userId, number);
  return { userId, cursor, threadId, episodeId, turns, skills, summaries: 3 };
}
