import type { Context } from '../../context.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { joinsThreads, type LinkOutcome, type LinkSign } from '../../domain/links/link-outcome.ts';
import type { Memory } from '../../memory.ts';
import { type Changes, NO_CHANGE, publishEpisodes, settleEpisodes } from './save-links.ts';

/**
 * Rates a decision about two threads by hand; UNKNOWN removes the rating.
 * @throws NotFound
 */
export async function rateLink(
  ctx: Context,
  userId: string,
  { linkId, outcome }: { linkId: number; outcome: LinkOutcome },
): Promise<void> {
  const rated = await ctx
    .memory(userId)
    .write((memory) =>
      noteOutcome(memory, linkId, { outcome, sign: outcome === 'UNKNOWN' ? null : 'RATED' }),
    );
  if (!rated) throw new NotFound('link');
  tellOutcome(ctx, userId, rated);
}

type Rated = Changes & { linkId: number; threadId: number; earlierThreadId: number };

/**
 * Stores the outcome of a decision, which may link or separate its threads. The user's row must be locked.
 * @returns null if there is no such decision, or if its outcome is known already and the new one was not given by hand
 */
export async function noteOutcome(
  memory: Memory,
  linkId: number,
  { outcome, sign }: { outcome: LinkOutcome; sign: LinkSign | null },
): Promise<Rated | null> {
  const { now } = memory;
  const link = await memory.links.find(linkId);
  const isByHand = sign === null || sign === 'RATED';
  if (!link || (link.outcome !== 'UNKNOWN' && !isByHand)) return null;
  const joins = joinsThreads(link.verdict, outcome, sign);
  await memory.links.rate(linkId, { outcome, sign, joins, at: sign === null ? null : now });
  const { threadId, earlierThreadId } = link;
  const how = sign === null ? 'by hand' : sign.toLowerCase();
  const decision = `link.rate ${outcome} (${link.verdict} of thread ${threadId} with ${earlierThreadId}; ${how})`;
  const details = { link: linkId };
  memory.record({ kind: 'LINK_RATED', threadId, decision, details });
  const changes =
    joins === link.joins ? NO_CHANGE : await settleEpisodes(memory, [threadId, earlierThreadId]);
  memory.changed('linkRated');
  return { ...changes, linkId, threadId, earlierThreadId };
}

/** Publishes an outcome to subscriptions. Call it after the commit. */
export function tellOutcome(ctx: Context, userId: string, rated: Rated): void {
  const { linkId, threadId, earlierThreadId } = rated;
  const which = { linkId, threadId, earlierThreadId };
  ctx.publisher.publishProgress(userId, { of: 'linking', stage: 'OUTCOME', ...which });
  publishEpisodes(ctx, userId, rated);
}
