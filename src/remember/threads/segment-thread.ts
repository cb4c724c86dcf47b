import type { EmbeddingContext, MemoryContext, Needs } from '../../context.ts';
import type { ThreadSegmentation as State } from '../../db/threads/segments.ts';
import type { TurnRow as Turn } from '../../db/turns/remember.ts';
import { earlierOf, type StepOutcome } from '../../domain/core/job.ts';
import {
  type Channels,
  closeSegments,
  cutsOf,
  MAX_WINDOW,
  NO_SPLIT,
  segmentationDue,
  WINDOW,
} from '../../domain/segments/segmentation.ts';
import { turnSurprises } from '../../domain/segments/surprise.ts';
import type { Memory } from '../../memory.ts';
import { STEPS } from '../../pipeline.ts';
import { debounced } from '../../steps.ts';
import { readBy } from '../operations/read-by.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import { closeParts, type Window } from './close-parts.ts';

/**
 * Cuts a thread's pending turns into segments (requirements 4.2), one window at a time. Closed segments are captured next;
 * the last segment stays open until the thread is idle.
 */
export async function segmentThread(
  ctx: MemoryContext & Needs<'reasoner' | 'rules'>,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const read = await readPending(ctx, userId, threadId);
  if (read === null) return 'done';
  if (read instanceof Date) return read;
  const { state, turns } = read;
  const { turnCount, segmentedThrough, compactedThrough, timeZone } = state;
  const pending = turnCount - segmentedThrough;
  const isOver = state.state !== 'OPEN';
  const close = ({ turns: windowTurns, cuts }: Window) =>
    closeSegments(windowTurns.length, cuts, { isOver: isOver && windowTurns.length === pending });

  // A model charges per request, so it reads a thread that is over in one.
  const isWhole = isOver && ctx.reasoner.generatedBy === 'MODEL';
  const isAll = turns.length === turnCount && compactedThrough < turnCount;
  const isThread =
    isOver && isAll && ctx.reasoner.readsThreads && cutsOf(turns, SILENT).length === 0;
  let window = await cut(ctx, userId, {
    turns: isWhole ? turns : turns.slice(0, WINDOW),
    isThread,
    timeZone,
  });
  let closing = close(window);
  // The result must not depend on how many turns had arrived when the step ran.
  if (closing.kind === 'widen' && (isOver || turns.length === MAX_WINDOW)) {
    window = await cut(ctx, userId, { turns, isThread: false, timeZone });
    closing = close(window);
  }
  if (closing.kind === 'widen') {
    await ctx.memory(userId).write(
      async (memory) => {
        await memory.segments.noteTried(threadId, segmentedThrough, pending);
        hurryCapture(memory);
      },
      { lock: false },
    );
    return 'done';
  }
  const { parts } = closing;
  const isClosed = await closeParts(ctx, userId, { state: { threadId, ...state }, window, parts });
  // Of a thread that is over nothing is left: once its segments are captured, it is compacted.
  return isClosed && isOver && window.turns.length === pending ? 'done' : 'again';
}

/** Neither channel finds a boundary, so only silence cuts. */
const SILENT: Channels = { boundaries: [], surprise: [] };

/** Makes capture run sooner: segments of other threads may be blocked by these turns. */
const hurryCapture = (memory: Memory) => memory.changed('segmentsChecked');

/** A thread that is over without pending turns may need a compaction; if it has one, the end of its session is considered. */
function triggerNext(memory: Memory, threadId: number, state: State) {
  if (state.compactedThrough >= state.turnCount) memory.changed('episodesDecided');
  else memory.changed('threadCaptured', threadId);
}

/** Reads the next window of pending turns; returns the time to try again if it is not due yet, null if nothing is to do. */
async function readPending(
  ctx: MemoryContext & Needs<'reasoner'>,
  userId: string,
  threadId: number,
) {
  return ctx.memory(userId).write(
    async (memory) => {
      const state = await memory.segments.state(threadId);
      if (!state) return null;
      const { turnCount, segmentedThrough, oldest, newestReceivedAt, tried } = state;
      const { now } = memory;
      const isOver = state.state !== 'OPEN';
      const pending = turnCount - segmentedThrough;
      const quietAt = debounced(
        STEPS.idleThread,
        ctx.config.debounce,
        earlierOf(newestReceivedAt, now),
      );
      const due = segmentationDue({ pending, oldest, quietAt, tried, isOver }, now);
      if (!due || due > now) hurryCapture(memory);
      if (!due) {
        if (isOver && pending === 0) {
          await memory.reviews.reportImpressions(threadId);
          triggerNext(memory, threadId, state);
        }
        return null;
      }
      if (due > now) return due;
      const stretch = { threadId, from: segmentedThrough + 1, to: segmentedThrough + MAX_WINDOW };
      return { state, turns: await memory.turns.inStretches([stretch], readBy(ctx)) };
    },
    { lock: false, readsFirst: true },
  );
}

/**
 * Finds the boundaries of a window by both channels (requirements 4.5: surprise and topic).
 * @param isThread the window is a whole thread that is over, so the reasoner may also return its compaction
 */
async function cut(
  ctx: MemoryContext & Needs<'reasoner'>,
  userId: string,
  { turns, isThread, timeZone }: { turns: Turn[]; isThread: boolean; timeZone: string | null },
): Promise<Window> {
  const isSplit = turns.length >= NO_SPLIT;
  // A window that is too short to split needs neither channel.
  if (!isSplit && !isThread)
    return { turns, vectors: null, cuts: [], described: [], compaction: null };
  const { embedder, reasoner } = ctx;
  const vectors = embedder && isSplit ? await vectorsOf({ ...ctx, embedder }, userId, turns) : null;
  // The built-in reasoner compares the same vectors, which are in the cache by now.
  const input = { turns, isThread, timeZone };
  const { boundaries, segments, compaction } = await reasoner.findBoundaries(input, { userId });
  const starts = boundaries.map(({ index }) => index);
  const surprise =
    vectors && embedder ? turnSurprises(vectors, starts, embedder.profile.surprise) : [];
  const described = segments.map((segment, at) => ({
    ...segment,
    first: starts[at - 1] ?? 0,
    last: (starts[at] ?? turns.length) - 1,
  }));
  return { turns, vectors, cuts: cutsOf(turns, { boundaries, surprise }), described, compaction };
}

/** The vectors of turns; null if the embedder refuses one, so that only the topic channel is used. */
async function vectorsOf(
  ctx: EmbeddingContext,
  userId: string,
  turns: readonly Turn[],
): Promise<Float32Array[] | null> {
  const vectors = (await embedTexts(ctx, userId, turns)).flatMap(
    (embedded) => vectorOf(embedded) ?? [],
  );
  return vectors.length === turns.length ? vectors : null;
}
