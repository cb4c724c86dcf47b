import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import { saysSomething } from '../domain/link-outcome.ts';
import { BEST, bestCandidates, type LinkingSetting, NEAREST, OPENING } from '../domain/linking.ts';
import { talkOf } from '../domain/linking-parts.ts';
import { assessPair, type Pair } from './assess-pair.ts';
import { linkingSetting } from './linking-setting.ts';
import { saveLinks } from './save-links.ts';

type Store = Context['store']['linkCandidates'];
type Thread = NonNullable<Awaited<ReturnType<Store['next']>>>;
type Turn = Awaited<ReturnType<Store['turns']>>[number];
type Candidate = Awaited<ReturnType<Store['find']>>['candidates'][number];
type Candidates = Omit<Awaited<ReturnType<Store['find']>>, 'candidates'> & { best: Candidate[] };

/** A summary that is due within so many milliseconds is waited for. */
const SOON = 60_000;

/**
 * Finds out with which earlier threads a user's new threads belong together (seed 000 §2.3), the earliest first: once a
 * thread has something to say, and once more when it has its first six turns or is over. Whoever watches `linking` sees
 * how that goes on.
 */
export async function linkThreads(ctx: Context, userId: string): Promise<StepOutcome> {
  const { linkCandidates, vectorIndex } = ctx.store;
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  const indexes = ['keywords', ...(embedder === '' ? [] : [vectorIndex.nameOf(embedder)])];
  const thread = await ctx.db.asUser(userId, (tx) =>
    linkCandidates.next(tx, userId, indexes, OPENING),
  );
  if (!thread) return 'done';
  const opening = await openingOf(ctx, userId, thread, embedder);
  const isSettled = thread.isLinked || thread.turns === thread.linkedTurns;
  if (isSettled || !opening.some(({ role, text }) => isSpoken(role) && saysSomething(text))) {
    return saveLinks(ctx, userId, { ...thread, linkedTurns: turnsSeen(thread) }, []);
  }
  const setting = await linkingSetting(ctx, userId);
  const found = await findCandidates(ctx, userId, thread, opening, embedder, setting);
  const { best } = found;
  const summaries = await summariesOf(ctx, userId, best);
  // Whoever makes them wakes this step.
  if (summaries === null) return 'done';
  const earlier = await turnsOf(ctx, userId, thread, best, embedder);
  const pairs = best.flatMap(({ threadId, lastActivityAt }): Pair[] => {
    const turns = earlier.filter((turn) => turn.threadId === threadId);
    const summary = summaries.get(threadId) ?? null;
    return turns.length === 0
      ? []
      : [{ thread, opening, earlier: { threadId, turns, summary, lastActivityAt } }];
  });
  for (const { earlier: own } of pairs) {
    const which = { threadId: thread.id, earlierThreadId: own.threadId };
    ctx.announcer.announceProgress(userId, { of: 'linking', stage: 'CANDIDATE', ...which });
  }
  const drafts = await Promise.all(
    pairs.map((pair) => assessPair(ctx, userId, setting, found, pair)),
  );
  return saveLinks(ctx, userId, { ...thread, linkedTurns: turnsSeen(thread) }, drafts);
}

/** Of a thread that is over, or has all its first turns, no more is to come. */
const turnsSeen = ({ isOpen, turns }: Thread): number => (isOpen ? turns : OPENING);

const isSpoken = (role: string): boolean => role !== 'TOOL' && role !== 'SYSTEM';

const NONE = { threadIds: [], until: new Date(0), last: 0 };

const openingOf = (ctx: Context, userId: string, { id, turns }: Thread, embedder: string) =>
  ctx.db.asUser(userId, (tx) =>
    ctx.store.linkCandidates.turns(
      tx,
      userId,
      { threadId: id, from: 1, to: turns },
      NONE,
      embedder,
    ),
  );

/** The last turns of the candidates, as far as they were said before the thread began. */
const turnsOf = (
  ctx: Context,
  userId: string,
  { id, startedAt }: Thread,
  candidates: readonly Candidate[],
  embedder: string,
) =>
  ctx.db.asUser(userId, (tx) =>
    ctx.store.linkCandidates.turns(
      tx,
      userId,
      { threadId: id, from: 1, to: 0 },
      { threadIds: candidates.map(({ threadId }) => threadId), until: startedAt, last: OPENING },
      embedder,
    ),
  );

async function findCandidates(
  ctx: Context,
  userId: string,
  thread: Thread,
  opening: readonly Turn[],
  embedder: string,
  { weights }: LinkingSetting,
): Promise<Candidates> {
  const spoken = opening.filter(({ role }) => isSpoken(role)).map(({ text }) => text);
  const { recentHours } = ctx.config.linking;
  const by = { terms: [...talkOf(spoken, []).terms], embedder, recentHours };
  const { candidates, ...rest } = await ctx.db.asUser(userId, (tx) =>
    ctx.store.linkCandidates.find(tx, userId, thread, {
      ...by,
      nearest: NEAREST,
      opening: OPENING,
    }),
  );
  const best = bestCandidates(candidates, weights, thread.startedAt, recentHours, BEST);
  return { ...rest, best };
}

/** The candidates' micro summaries, which are made first; null while they are made. */
async function summariesOf(
  ctx: Context,
  userId: string,
  candidates: readonly Candidate[],
): Promise<Map<number, string | null> | null> {
  const { linkCandidates, compactions, jobs } = ctx.store;
  const now = ctx.clock();
  const ids = candidates.map(({ threadId }) => threadId);
  const made = await ctx.db.asUser(userId, async (tx) => {
    const found = await linkCandidates.summaries(tx, userId, ids, new Date(+now + SOON));
    const missing = found.filter(({ summary }) => summary === null);
    for (const { threadId, isAsked } of missing) {
      if (isAsked) continue;
      await compactions.ask(tx, userId, threadId);
      await jobs.add(tx, userId, { step: 'compact-thread', subject: threadId, runAt: now });
    }
    const isMade = missing.every(({ isAsked, isUnderWay }) => isAsked && !isUnderWay);
    return isMade ? new Map(found.map(({ threadId, summary }) => [threadId, summary])) : null;
  });
  if (made === null) ctx.announcer.announce(userId);
  return made;
}
