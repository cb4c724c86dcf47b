import type { Context } from '../../context.ts';
import { NotFound } from '../../domain/core/errors.ts';
import { joinsThreads, type LinkOutcome, type LinkSign } from '../../domain/links/link-outcome.ts';
import type { Memory } from '../../memory.ts';
import { settleEpisodes } from './save-links.ts';

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
    .write(
      (memory) =>
        noteOutcome(memory, linkId, { outcome, sign: outcome === 'UNKNOWN' ? null : 'RATED' }),
      { request: 'rateLink' },
    );
  if (!rated) throw new NotFound('link');
}

/**
 * Stores the outcome of a decision, which may link or separate its threads. The user's row must be locked.
 * @returns false if there is no such decision, or if its outcome is known already and the new one was not given by hand
 */
export async function noteOutcome(
  memory: Memory,
  linkId: number,
  { outcome, sign }: { outcome: LinkOutcome; sign: LinkSign | null },
): Promise<boolean> {
  const { now } = memory;
  const link = await memory.links.find(linkId);
  const isByHand = sign === null || sign === 'RATED';
  if (!link || (link.outcome !== 'UNKNOWN' && !isByHand)) return false;
  const joins = joinsThreads(link.verdict, outcome, sign);
  await memory.links.rate(linkId, { outcome, sign, joins, at: sign === null ? null : now });
  const { threadId, earlierThreadId } = link;
  const how = sign === null ? 'by hand' : sign.toLowerCase();
  const decision = `link.rate ${outcome} (${link.verdict} of thread ${threadId} with ${earlierThreadId}; ${how})`;
  const details = { link: linkId, earlier: earlierThreadId };
  memory.record({ kind: 'LINK_RATED', threadId, decision, details });
  if (joins !== link.joins) await settleEpisodes(memory, [threadId, earlierThreadId]);
  memory.changed('linkRated');
  return true;
}
