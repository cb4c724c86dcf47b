import type { Context } from '../../context.ts';
import type { ComparedTurn as Turn } from '../../db/links/compared-turns.ts';
import type { WatchedThread as Watched } from '../../db/links/link-watch.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { vectorIndexName } from '../../domain/core/vector.ts';
import { OPENING, WHOLE } from '../../domain/links/linking.ts';
import type { Memory } from '../../memory.ts';
import { readBy } from '../operations/read-by.ts';
import { noteOutcome } from './rate-link.ts';

type Link = Watched['links'][number];

/** How many turns after the compared ones are searched for signs. */
const MOST_TURNS = 12;

/**
 * Determines from the turns that follow whether decisions about links were right (requirements 11.10). Without a sign the
 * outcome stays UNKNOWN.
 */
export async function watchLinks(ctx: Context, userId: string): Promise<StepOutcome> {
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  const indexes = ['keywords', ...(embedder === '' ? [] : [vectorIndexName(embedder)])];
  const read = await ctx.memory(userId).read(async (memory) => {
    const watched = await memory.linkWatch.next(indexes);
    if (!watched) return null;
    const { threadId, startedAt: until, links } = watched;
    const threadIds = links.map((link) => link.earlierThreadId);
    const range = { threadId, from: 1, to: WHOLE + MOST_TURNS };
    const others = { threadIds, until, last: OPENING };
    return {
      watched,
      turns: await memory.linkCandidates.turns(range, others, { embedder, ...readBy(ctx) }),
    };
  });
  if (!read) return 'done';
  const { watched, turns } = read;
  const [best] = watched.links.filter(({ verdict }) => verdict === 'DONT_LINK');
  const seen = await Promise.all(
    watched.links.map(async (link) => {
      const found = await findOutcome(ctx, userId, { ...watched, link, turns });
      // "Didn't we talk about this?" refers to one earlier thread: the most likely one.
      const isOther = found?.sign === 'ASKED_BACK' && link !== best;
      return { link, found: isOther ? null : found, isOther };
    }),
  );
  const save = async (memory: Memory) => {
    for (const { link, found } of seen) {
      if (!found) continue;
      await noteOutcome(memory, link.id, { outcome: found.outcome, sign: found.sign });
    }
    const { isOver, turnCount } = watched;
    for (const { link, found, isOther } of seen) {
      if (found) continue;
      const isDone = isOver || isOther || turnCount > link.turns + MOST_TURNS;
      await memory.linkWatch.note([link.id], isDone ? null : turnCount);
    }
  };
  await ctx.memory(userId).write(save, { since: watched.epoch });
  return 'again';
}

/** The outcome of a decision by the user's turns after the comparison; null without a sign. */
function findOutcome(
  { rules, embedder }: Context,
  userId: string,
  { threadId, isOver, isExplicit, link, turns }: Watched & { link: Link; turns: readonly Turn[] },
) {
  const threadTurns = turns.filter((turn) => turn.threadId === threadId);
  return rules.linkOutcome(
    {
      verdict: link.verdict,
      opening: threadTurns.filter(({ number }) => number <= link.turns),
      later: threadTurns.filter(({ number, role }) => number > link.turns && role === 'USER'),
      earlier: turns.filter((turn) => turn.threadId === link.earlierThreadId),
      isOver,
      isExplicit,
      novelty: embedder?.profile.thresholds.novelty ?? null,
    },
    { userId },
  );
}
