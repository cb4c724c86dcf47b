import type { Context } from '../../context.ts';
import type { ThreadCompaction, Told } from '../../db/episodes/compactions.ts';
import { earlierOf, type StepOutcome } from '../../domain/core/job.ts';
import { type CompactionProgress, compactionDue } from '../../domain/episodes/compaction.ts';
import { MAX_WINDOW } from '../../domain/segments/segmentation.ts';
import type { MemoryReader } from '../../memory.ts';
import { STEPS } from '../../pipeline.ts';
import { debounced } from '../../steps.ts';
import { readBy } from '../operations/read-by.ts';
import { saveCompaction } from './save-compaction.ts';

type Read = ThreadCompaction & {
  through: number;
};
type Material = Told[];

/** The newest turns of a thread that are read word for word; of what was before, the segments' summaries. */
const NEWEST = 200;

/**
 * Compresses a thread to summaries at three resolutions and to skills (requirements 8.1): when it is over, at 50 new turns,
 * after a day, when somebody asks; again when it has grown. The turns stay, word for word. Whoever watches
 * `compactions` sees how far it is.
 */
export async function compactThread(
  ctx: Context,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const read = await ctx.memory(userId).read((memory) => readThread(ctx, memory, threadId));
  if (read === null) return 'done';
  if (read instanceof Date) return read;
  const { state, material } = read;
  const progress = { threadId, turns: state.through, summaries: 0, skills: 0, episodeId: null };
  const tell = (how: CompactionProgress) =>
    ctx.publisher.publishProgress(userId, { of: 'compaction', ...how });
  tell(progress);

  const { reasoner } = ctx;
  const { timeZone } = state;
  const turns = material.map(({ turn }) => turn);
  const openings = material.flatMap(({ opens }, index) => (opens ? index : []));
  const summaries = await reasoner.compact({ turns, openings, timeZone }, { userId });
  tell({ ...progress, summaries: 3, skills: summaries.skills.length });
  const heading =
    state.whole ??
    summaries.heading ??
    (await reasoner.describeSegment({ turns, timeZone }, { userId }));
  const { turn: last } = material.at(-1) as Material[number];
  const skills = summaries.skills.map(({ evidence, ...skill }) => ({
    ...skill,
    evidenceTurns: evidence.flatMap((index) => material[index]?.number ?? []),
  }));
  const thread = { ...state, threadId, endedAt: last.occurredAt };
  const model = reasoner.modelOf('compact');
  const told = { ...summaries, ...heading, skills, model, isWithBoundaries: false };
  const episodeId = await ctx.memory(userId).write(async (memory) => {
    const id = await saveCompaction(ctx, memory, { ...told, thread });
    if (state.state !== 'OPEN') memory.changed('episodesDecided');
    return id;
  });
  tell({ ...progress, summaries: 3, skills: skills.length, episodeId });
  return 'done';
}

/** What there is to compress; a time when to look again; null when there is nothing. */
async function readThread(
  ctx: Context,
  memory: MemoryReader,
  threadId: number,
): Promise<{ state: Read; material: Material } | Date | null> {
  const now = ctx.clock();
  const state = await memory.compactions.state(threadId);
  if (!state) return null;
  const { turnCount, segmentedThrough, compactedThrough, oldest } = state;
  const isAsked = state.asked > compactedThrough;
  const isOver = isAsked || state.state !== 'OPEN';
  const pending = turnCount - segmentedThrough;
  // Steps that are still running trigger this step once more.
  const isWaiting = state.isCapturing || (isOver && pending > (isAsked ? MAX_WINDOW : 0));
  if (isWaiting) return null;
  const through = isOver ? turnCount : segmentedThrough;
  const quietAt = debounced(
    STEPS.idleThread,
    ctx.config.debounce,
    earlierOf(state.newestReceivedAt, now),
  );
  const due = compactionDue({ fresh: through - compactedThrough, oldest, quietAt, isOver }, now);
  if (!due) return null;
  if (due > now) return due;
  const material = await memory.compactions.material(
    { threadId, through },
    { newest: NEWEST, ...readBy(ctx) },
  );
  return material.length > 0 ? { state: { ...state, through }, material } : null;
}
