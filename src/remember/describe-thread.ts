import type { Context } from '../context.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import type { StepOutcome } from '../domain/job.ts';

/** What of a thread is read for its description: its newest turns. */
const MOST = { turns: 200, characters: 400_000 };

/** Says what an idle or closed thread was about; again when it has grown or lost turns since. */
export async function describeThread(
  ctx: Context,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const { episodes, turns, events } = ctx.store;
  const read = await ctx.db.asUser(userId, async (tx) => {
    const found = await episodes.descriptionState(tx, userId, threadId);
    if (!found || found.state === 'OPEN' || found.turnCount === found.describedTurns) return null;
    return { ...found, turns: await turns.newest(tx, userId, threadId, MOST) };
  });
  const last = read?.turns.at(-1);
  if (!read || !last) return 'done';
  const { reasoner } = ctx;
  const leftOut = read.turnCount - read.turns.length;
  const { title, summary, topic, approach } = await reasoner.describeSegment(
    { turns: read.turns, leftOut },
    { userId },
  );
  const now = ctx.clock();
  await ctx.db.asUser(userId, async (tx) => {
    const draft = {
      threadId,
      title,
      summary,
      topic,
      approach: approach || null,
      generatedBy: reasoner.generatedBy,
      model: reasoner.modelOf('describe-segment'),
      turnCount: read.turnCount,
      startedAt: read.startedAt,
      endedAt: last.occurredAt,
    };
    if (!(await episodes.saveDescription(tx, userId, read.epoch, draft, now))) {
      throw new ErasedMeanwhile();
    }
    const decision = `thread.describe (${read.turns.length} of ${read.turnCount} turns by ${draft.model})`;
    await events.append(tx, userId, { kind: 'THREAD_DESCRIBED', threadId, decision }, now);
  });
  ctx.announcer.announce(userId);
  ctx.logger.debug({ userId, threadId }, 'thread.describe');
  return 'done';
}
