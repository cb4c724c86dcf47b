import type { Context } from '../context.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import type { StepOutcome } from '../domain/job.ts';

/** The newest turns of a thread that are read for its description. */
const NEWEST = 200;

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
    const { turnCount: to, epoch } = found;
    const from = Math.max(1, to - NEWEST + 1);
    return { epoch, to, turns: await turns.inStretches(tx, userId, [{ threadId, from, to }]) };
  });
  const first = read?.turns[0];
  const last = read?.turns.at(-1);
  if (!read || !first || !last) return 'done';
  const { reasoner } = ctx;
  const { title, summary, topic, approach } = await reasoner.describeSegment(
    { turns: read.turns },
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
      turnCount: read.to,
      startedAt: first.occurredAt,
      endedAt: last.occurredAt,
    };
    if (!(await episodes.saveDescription(tx, userId, read.epoch, draft, now))) {
      throw new ErasedMeanwhile();
    }
    const decision = `thread.describe (${read.turns.length} of ${read.to} turns by ${draft.model})`;
    await events.append(tx, userId, { kind: 'THREAD_DESCRIBED', threadId, decision }, now);
  });
  ctx.announcer.announce(userId);
  ctx.logger.debug({ userId, threadId }, 'thread.describe');
  return 'done';
}
