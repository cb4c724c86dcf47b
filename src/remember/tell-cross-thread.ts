import type { Context } from '../context.ts';
import { calendarOf } from '../domain/calendar.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import { gathered, type StepOutcome } from '../domain/job.ts';

/** Of its turns the newest are read. */
const NEWEST = 200;

/**
 * Tells what several threads come to: a combined summary at three resolutions, and the skills that show over them (seed
 * 000 §2.2, §5.3). Again when a thread has come, gone or grown.
 */
export async function tellCrossThread(
  ctx: Context,
  userId: string,
  episodeId: number,
): Promise<StepOutcome> {
  const { crossThreads, events, jobs } = ctx.store;
  const read = await ctx.db.asUser(userId, (tx) =>
    crossThreads.material(tx, userId, episodeId, NEWEST),
  );
  if (!read) return 'done';
  const { state, turns } = read;
  const { reasoner } = ctx;
  const [description, summaries] = await Promise.all([
    reasoner.describeSegment({ turns }, { userId }),
    reasoner.compact({ turns }, { userId }),
  ]);
  const now = ctx.clock();
  const model = reasoner.modelOf('compact');
  const before = state.turnCount - turns.length;
  const skills = summaries.skills.map(({ evidence, ...skill }) => ({
    ...skill,
    evidenceTurns: evidence.map((index) => before + index + 1),
  }));
  await ctx.db.asUser(
    userId,
    async (tx) => {
      const isSaved = await crossThreads.tell(
        tx,
        userId,
        state,
        {
          ...calendarOf(state.endedAt, state.timeZone),
          id: episodeId,
          title: description.title,
          topic: description.topic,
          approach: description.approach || null,
          micro: summaries.micro,
          meso: summaries.meso,
          macro: summaries.macro || null,
          generatedBy: reasoner.generatedBy,
          model,
          skills,
        },
        now,
      );
      if (!isSaved) throw new ErasedMeanwhile();
      const made = `${state.threadIds.length} threads, ${state.turnCount} turns, ${skills.length} skills, by ${model}`;
      const decision = `episode.tell (${made})`;
      await events.append(tx, userId, { kind: 'CROSS_THREAD_TOLD', episodeId, decision }, now);
      if (ctx.embedder) {
        const runAt = gathered('embed-episodes', ctx.config.gather, now);
        await jobs.add(tx, userId, { step: 'embed-episodes', subject: 0, runAt });
      }
    },
    { lock: true },
  );
  ctx.announcer.announceProgress(userId, { of: 'linking', stage: 'EPISODE', episodeId });
  ctx.announcer.announce(userId);
  return 'done';
}
