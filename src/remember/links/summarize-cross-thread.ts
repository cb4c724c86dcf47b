import type { Context } from '../../context.ts';
import type { CrossThreadMaterial as Read } from '../../db/links/cross-thread-summaries.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { combinedText } from '../../domain/links/cross-thread.ts';
import type { Memory } from '../../memory.ts';
import { calendarOf } from '../../shared/calendar.ts';
import { personIn } from '../knowledge/person-in.ts';
import { readBy } from '../operations/read-by.ts';

/** How many of its newest turns are read. */
const NEWEST = 200;
/** The summaries of the threads are joined as they are up to this many characters in all; longer ones are summarised again. */
const MOST_CHARACTERS = 1_000;
/** Longer texts are not compared for repetitions, which takes quadratic time and could not make them short enough. */
const MOST_TO_JOIN = 10 * MOST_CHARACTERS;

/**
 * Summarises a cross-thread episode: a combined summary at three lengths, and the skills that its threads show together.
 * Done again when a thread was added, removed or continued.
 */
export async function summarizeCrossThread(
  ctx: Context,
  userId: string,
  episodeId: number,
): Promise<StepOutcome> {
  const read = await ctx
    .memory(userId)
    .read((memory) => memory.crossThreads.material(episodeId, { most: NEWEST, ...readBy(ctx) }));
  if (!read) return 'done';
  const { state, turns } = read;
  const { timeZone } = state;
  const { reasoner } = ctx;
  const openings = turns.flatMap(({ threadId }, index) =>
    threadId === turns[index - 1]?.threadId ? [] : index,
  );
  const [summaries, micro] = await Promise.all([
    reasoner.compact({ turns, openings, timeZone }, { userId }),
    combinedSummary(ctx, userId, read),
  ]);
  const heading =
    summaries.heading ?? (await reasoner.describeSegment({ turns, timeZone }, { userId }));
  const model = reasoner.modelOf('compact');
  const before = state.turnCount - turns.length;
  const skills = summaries.skills.map(({ evidence, ...skill }) => ({
    ...skill,
    evidenceTurns: evidence.map((index) => before + index + 1),
  }));
  const save = async (memory: Memory) => {
    const isSaved = await memory.crossThreads.saveSummary(
      state,
      {
        ...calendarOf(state.endedAt, state.timeZone),
        id: episodeId,
        title: heading.title,
        topic: heading.topic,
        approach: heading.approach || null,
        micro,
        meso: summaries.meso,
        macro: summaries.macro || null,
        generatedBy: reasoner.generatedBy,
        model,
        skills,
      },
      memory.now,
    );
    if (!isSaved) throw new Overtaken();
    const made = `${state.threadIds.length} threads, ${state.turnCount} turns, ${skills.length} skills, by ${model}`;
    const decision = `episode.tell (${made})`;
    memory.record({ kind: 'CROSS_THREAD_SUMMARIZED', episodeId, decision });
    memory.changed('summariesWritten');
  };
  await ctx.memory(userId).write(save, { since: state.epoch });
  return 'done';
}

/** The summaries of all threads as one text. */
async function combinedSummary(
  { reasoner }: Context,
  userId: string,
  { state: { timeZone }, threads, turns }: Read,
): Promise<string | null> {
  const parts = await Promise.all(
    threads.map(async ({ threadId, endedAt, title, summary }) => {
      if (title !== null && summary !== null) return [{ title, summary, endedAt }];
      const threadTurns = turns.filter((turn) => turn.threadId === threadId);
      if (threadTurns.length === 0) return [];
      const described = await reasoner.describeSegment(
        { turns: threadTurns, timeZone },
        { userId },
      );
      return [{ title: described.title, summary: described.summary, endedAt }];
    }),
  );
  const characters = parts.flat().reduce((sum, { summary }) => sum + (summary?.length ?? 0), 0);
  if (reasoner.generatedBy === 'EXTRACTIVE' && characters <= MOST_TO_JOIN) {
    const joined = combinedText(parts.flat());
    if (joined.length <= MOST_CHARACTERS) return joined || null;
  }
  const episodes = parts
    .flat()
    .flatMap(({ summary, ...part }) => (summary ? [{ ...part, summary }] : []));
  if (episodes.length === 0) return null;
  const input = { ...personIn([], timeZone), episodes };
  return (await reasoner.summarizeEpisodes(input, { userId })).summary;
}
