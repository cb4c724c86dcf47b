import type { MemoryContext, Needs } from '../../context.ts';
import type { PendingSegment } from '../../db/episodes/captures.ts';
import type { ReadTurn } from '../../db/turns/turns.ts';
import { isCutBySilence, WINDOW } from '../../domain/segments/segmentation.ts';
import { readBy } from '../operations/read-by.ts';

/**
 * The surprise of a segment that lost turns, 0-1, from what is left: how unexpected its opening is after the turns before it,
 * or how momentous its news.
 */
export async function surpriseOfRest(
  ctx: MemoryContext & Needs<'reasoner' | 'rules'>,
  userId: string,
  {
    segment: { threadId, firstTurn, timeZone },
    turns,
  }: {
    segment: Pick<PendingSegment, 'threadId' | 'firstTurn' | 'timeZone'>;
    turns: readonly ReadTurn[];
  },
): Promise<number> {
  const stretch = { threadId, from: firstTurn - WINDOW, to: firstTurn - 1 };
  const before = await ctx
    .memory(userId)
    .read((memory) => memory.turns.inStretches([stretch], readBy(ctx)));
  const news = await ctx.rules.newsIn([...turns], { userId });
  const [last, first] = [before.at(-1), turns[0]];
  if (!last || !first || isCutBySilence(last, first)) return news;
  const { reasoner } = ctx;
  const opening = await reasoner.judgeSurprise(
    { before, segment: [...turns], timeZone },
    { userId },
  );
  return Math.max(opening.surprise, news);
}
