import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import { beginsWithGreeting, outcomeOf, saysSomething } from '../domain/link-outcome.ts';
import { algorithmicScore, type LinkingParts, OPENING, SEED_WEIGHTS } from '../domain/linking.ts';
import { entityMatch, keywordMatch, termTelling, topicMatch } from '../domain/linking-parts.ts';
import { saidIn } from './assess-pair.ts';
import { noteOutcome, tellOutcome } from './rate-link.ts';

type Watched = NonNullable<Awaited<ReturnType<Context['store']['linkWatch']['next']>>>;
type Link = Watched['links'][number];
type Turn = Awaited<ReturnType<Context['store']['linkCandidates']['turns']>>[number];

/** So many turns after the ones that were compared are looked at. */
const MOST_TURNS = 12;

/**
 * Finds out from what a user does next whether decisions about links were right (seed 000 §2.4). Without a sign the outcome
 * stays UNKNOWN.
 */
export async function watchLinks(ctx: Context, userId: string): Promise<StepOutcome> {
  const { linkWatch, linkCandidates, vectorIndex } = ctx.store;
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  const indexes = ['keywords', ...(embedder === '' ? [] : [vectorIndex.nameOf(embedder)])];
  const read = await ctx.db.asUser(userId, async (tx) => {
    const watched = await linkWatch.next(tx, userId, indexes);
    if (!watched) return null;
    const { threadId, startedAt: until, links } = watched;
    const threadIds = links.map((link) => link.earlierThreadId);
    const own = { threadId, from: 1, to: OPENING + MOST_TURNS };
    const others = { threadIds, until, last: OPENING };
    return { watched, turns: await linkCandidates.turns(tx, userId, own, others, embedder) };
  });
  if (!read) return 'done';
  const { watched, turns } = read;
  const [best] = watched.links.filter(({ verdict }) => verdict === 'DONT_LINK');
  const seen = watched.links.map((link) => {
    const found = lookAt(ctx, watched, link, turns);
    // "Didn't we talk about this?" is about one earlier thread: the likeliest.
    const isOther = found?.sign === 'ASKED_BACK' && link !== best;
    return { link, found: isOther ? null : found, isOther };
  });
  const rated = await ctx.db.asUser(
    userId,
    async (tx) => {
      const noted = [];
      for (const { link, found } of seen) {
        if (!found) continue;
        noted.push(await noteOutcome(ctx, tx, userId, link.id, found.outcome, found.sign));
      }
      const { isOver, turnCount } = watched;
      for (const { link, found, isOther } of seen) {
        if (found) continue;
        const isDone = isOver || isOther || turnCount > link.turns + MOST_TURNS;
        await linkWatch.note(tx, userId, [link.id], isDone ? null : turnCount);
      }
      return noted;
    },
    { lock: true },
  );
  for (const each of rated) if (each) tellOutcome(ctx, userId, each);
  return 'again';
}

/** What the user's turns after the comparison say of a decision. */
function lookAt(ctx: Context, watched: Watched, link: Link, turns: readonly Turn[]) {
  const own = turns.filter(({ threadId }) => threadId === watched.threadId);
  const opening = own.filter(({ number }) => number <= link.turns);
  const later = own.filter(({ number, role }) => number > link.turns && role === 'USER');
  const earlier = turns.filter(({ threadId }) => threadId === link.earlierThreadId);
  const matter = link.verdict === 'LINK' ? [...earlier, ...opening] : earlier;
  return outcomeOf({
    verdict: link.verdict,
    later: later.map(({ text }) => text),
    likeness: likenessOf(ctx, matter, later),
    isOver: watched.isOver,
    isFreshStart: watched.isExplicit || beginsWithGreeting(opening[0]?.text ?? ''),
  });
}

/** How much turns are about a matter, 0-1, by the parts of the score without recency; null where they tell too little. */
function likenessOf(
  { embedder }: Context,
  matter: readonly Turn[],
  later: readonly Turn[],
): number | null {
  const telling = later.filter(({ text }) => saysSomething(text));
  const [left, right] = [saidIn(matter), saidIn(telling)];
  const parts: LinkingParts = {
    keyword: keywordMatch(left, right, termTelling(0, new Map())),
    entity: entityMatch(left, right),
    topic: embedder ? topicMatch(left, right, embedder.profile.thresholds.novelty) : null,
    recency: null,
  };
  return parts.keyword === null && parts.entity === null
    ? null
    : algorithmicScore(parts, SEED_WEIGHTS).score;
}
