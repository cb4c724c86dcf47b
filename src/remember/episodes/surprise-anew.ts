import type { MemoryContext, Needs } from '../../context.ts';
import type { PendingSegment } from '../../db/episodes/captures.ts';
import type { TurnRow } from '../../db/turns/remember.ts';
import { isCutBySilence, WINDOW } from '../../domain/segments/segmentation.ts';
import { readBy } from '../operations/read-by.ts';

/**
 * The surprise of a closed segment that lost turns or got late ones, 0-1: how unexpected its opening is after the turns before
 * it, or how momentous its news.
 */
export async function surpriseAnew(
  ctx: MemoryContext & Needs<'reasoner' | 'rules'>,
  userId: string,
  {
    segment: { threadId, firstTurn, timeZone },
    turns,
  }: {
    segment: Pick<PendingSegment, 'threadId' | 'firstTurn' | 'timeZone'>;
    turns: readonly TurnRow[];
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
