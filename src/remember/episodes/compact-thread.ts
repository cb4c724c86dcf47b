import type { MemoryContext, Needs } from '../../context.ts';
import type { CompactionSource, ThreadCompaction } from '../../db/episodes/compactions.ts';
import { earlierOf, type StepOutcome } from '../../domain/core/job.ts';
import { type CompactionProgress, compactionDue } from '../../domain/episodes/compaction.ts';
import { MAX_WINDOW } from '../../domain/segments/segmentation.ts';
import type { Memory, MemoryReader } from '../../memory.ts';
import { STEPS } from '../../pipeline.ts';
import { MINUTE } from '../../shared/duration.ts';
import { debounced } from '../../steps.ts';
import { readBy } from '../operations/read-by.ts';
import { saveCompaction } from './save-compaction.ts';

type Read = ThreadCompaction & {
  through: number;
  /** When to look again, whether or not there is something to do now. */
  again: Date | null;
};

/** The newest turns of a thread that are read word for word. Earlier turns are replaced by the summaries of their segments. */
const NEWEST = 200;

/**
 * Summarises a thread at three lengths and extracts skills (requirements 8.1): when it is over, after 50 new turns (200
 * while more of them are about to be cut), after a day, or on request; again when it has grown. The turns stay, word for word. If
 * the step that cuts the thread has failed for good, it is not waited for.
 * Progress is published to the subscription `compactions`.
 */
export async function compactThread(
  ctx: MemoryContext & Needs<'reasoner'>,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const read = await ctx.memory(userId).read((memory) => readThread(ctx, memory, threadId));
  if (read === null) return 'done';
  if (read instanceof Date) return read;
  const { state, material } = read;
  const progress = { threadId, turns: state.through, summaries: 0, skills: 0, episodeId: null };
  const report = (step: CompactionProgress) =>
    ctx.publisher.publishProgress(userId, { of: 'compaction', ...step });
  report(progress);

  const { reasoner } = ctx;
  const { timeZone } = state;
  const turns = material.map(({ turn }) => turn);
  const openings = material.flatMap(({ opens }, index) => (opens ? index : []));
  const summaries = await reasoner.compact({ turns, openings, timeZone }, { userId });
  report({ ...progress, summaries: 3, skills: summaries.skills.length });
  const heading =
    state.whole ??
    summaries.heading ??
    (await reasoner.describeSegment({ turns, timeZone }, { userId }));
  const { turn: last } = material.at(-1) as CompactionSource;
  const skills = summaries.skills.map(({ evidence, ...skill }) => ({
    ...skill,
    evidenceTurns: evidence.flatMap((index) => material[index]?.number ?? []),
  }));
  const thread = { ...state, threadId, endedAt: last.occurredAt };
  const model = reasoner.modelOf('compact');
  const compaction = { ...summaries, ...heading, skills, model, isWithBoundaries: false };
  const save = async (memory: Memory) => {
    await saveCompaction(ctx, memory, { ...compaction, thread });
    if (state.state !== 'OPEN') memory.changed('episodesDecided');
  };
  await ctx.memory(userId).write(save, { since: state.epoch });
  return state.again ?? 'done';
}

/** Reads what is to be compacted; returns the time to try again if it is not due yet, null if nothing is pending. */
async function readThread(
  ctx: Needs<'config' | 'reasoner' | 'clock'>,
  memory: MemoryReader,
  threadId: number,
): Promise<{ state: Read; material: CompactionSource[] } | Date | null> {
  const now = ctx.clock();
  const state = await memory.compactions.state(threadId);
  if (!state) return null;
  const { turnCount, segmentedThrough, compactedThrough, oldest, isUncut } = state;
  const isAsked = state.asked > compactedThrough;
  const isOver = isAsked || state.state !== 'OPEN';
  const pending = turnCount - segmentedThrough;
  const through = isOver ? turnCount : segmentedThrough;
  const fresh = through - compactedThrough;
  // Closing and capturing the pending turns triggers this step again, so an import is not summarised every 50 turns.
  const isBehind = !isUncut && pending >= (isOver && !isAsked ? 1 : MAX_WINDOW);
  const again = isUncut ? endOf(state, now) : null;
  if (state.isCapturing || (isBehind && (isOver || fresh < NEWEST))) return null;
  const quietAt = debounced(
    STEPS.idleThread,
    ctx.config.debounce,
    earlierOf(state.newestReceivedAt, now),
  );
  const due = compactionDue({ fresh, oldest, quietAt, isOver }, now);
  if (!due || due > now) return earliest(due, again);
  const material = await memory.compactions.material(
    { threadId, through },
    { newest: NEWEST, ...readBy(ctx) },
  );
  return material.length > 0 ? { state: { ...state, through, again }, material } : null;
}

/** When an open thread will be over, of which nothing else triggers this step; null if it is over. */
const endOf = ({ state, idleAt }: ThreadCompaction, now: Date): Date | null =>
  state === 'OPEN' ? new Date(Math.max(idleAt.getTime(), now.getTime() + MINUTE)) : null;

const earliest = (one: Date | null, other: Date | null): Date | null =>
  one && other ? earlierOf(one, other) : (one ?? other);
