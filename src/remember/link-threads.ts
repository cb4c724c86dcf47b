import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import {
  BEST,
  bestCandidates,
  comparedTurns,
  type LinkingSetting,
  NEAREST,
  OPENING,
} from '../domain/linking.ts';
import { type Assessment, assessPair, type Pair, partsOf } from './assess-pair.ts';
import { linkingSetting } from './linking-setting.ts';
import { readBy } from './read-by.ts';
import { saveLinks } from './save-links.ts';

type Store = Context['store']['linkCandidates'];
type Thread = NonNullable<Awaited<ReturnType<Store['next']>>>;
type Turn = Awaited<ReturnType<Store['turns']>>[number];
type Statistics = Omit<Awaited<ReturnType<Store['find']>>, 'candidates'>;
type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/** A summary that is due within so many milliseconds is waited for. */
const SOON = 60_000;

/**
 * Finds out with which earlier threads a user's new threads belong together (seed 000 §2.3), the earliest first: once a
 * thread has something to say, once more when it has its first six turns, and again when it is over. Whoever watches `linking` sees
 * how that goes on.
 */
export async function linkThreads(ctx: Context, userId: string): Promise<StepOutcome> {
  const { linkCandidates, vectorIndex } = ctx.store;
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  const indexes = ['keywords', ...(embedder === '' ? [] : [vectorIndex.nameOf(embedder)])];
  const next = await ctx.db.asUser(userId, async (tx) => {
    const thread = await linkCandidates.next(tx, userId, indexes, {
      opening: OPENING,
      whole: comparedTurns(ctx.reasoner.generatedBy),
    });
    if (!thread) return null;
    const own = { threadId: thread.id, from: 1, to: thread.turns };
    return {
      thread,
      opening: await linkCandidates.turns(tx, userId, own, NONE, { embedder, ...readBy(ctx) }),
    };
  });
  if (!next) return 'done';
  const { thread, opening } = next;
  const seen = {
    ...thread,
    linkedTurns: turnsSeen(thread, comparedTurns(ctx.reasoner.generatedBy)),
  };
  const isSettled =
    thread.turns === thread.linkedTurns || (thread.isLinked && thread.turns <= OPENING);
  if (isSettled) return saveLinks(ctx, userId, seen, []);
  const { saysSomething, terms } = await ctx.rules.readOpening({ turns: opening }, { userId });
  if (!saysSomething) return saveLinks(ctx, userId, seen, []);
  const setting = await linkingSetting(ctx, userId);
  const found = await ctx.db.asUser(userId, (tx) =>
    findPairs(ctx, tx, userId, { thread, opening, terms, embedder, setting }),
  );
  // Whoever makes the summaries wakes this step.
  if (found === null) {
    ctx.announcer.announce(userId);
    return 'done';
  }
  const { pairs, statistics } = found;
  for (const { earlier } of pairs) {
    const which = { threadId: thread.id, earlierThreadId: earlier.threadId };
    ctx.announcer.announceProgress(userId, { of: 'linking', stage: 'CANDIDATE', ...which });
  }
  // First: the built-in reasoner works in the same thread.
  const compared = pairs.map((pair) => partsOf(ctx, userId, statistics, pair));
  const asked = askReasoner(ctx, userId, opening, pairs, setting);
  const drafts = await Promise.all(
    pairs.map((pair, at) => {
      const own = asked.then((assessments) => assessments[at] as Assessment);
      const parts = compared[at] as (typeof compared)[number];
      return assessPair(ctx, userId, setting, { pair, parts, asked: own });
    }),
  );
  return saveLinks(ctx, userId, seen, drafts);
}

/** All pairs at once: a model costs by the request. */
async function askReasoner(
  { reasoner }: Context,
  userId: string,
  message: Turn[],
  pairs: readonly Pair[],
  { hints }: LinkingSetting,
): Promise<Assessment[]> {
  if (pairs.length === 0) return [];
  const threads = pairs.map(({ earlier: { summary, turns } }) => ({ summary, turns }));
  const input = { threads, message, hints: [...hints] };
  return (await reasoner.assessRelatedness(input, { userId })).assessments;
}

/** Of a thread that is over no more is to come. */
const turnsSeen = ({ isOpen, turns }: Thread, whole: number): number => (isOpen ? turns : whole);

const NONE = { threadIds: [], until: new Date(0), last: 0 };

/** The best earlier threads beside a new one; null while their summaries are made. */
async function findPairs(
  ctx: Context,
  tx: Tx,
  userId: string,
  own: {
    thread: Thread;
    opening: Turn[];
    terms: string[];
    embedder: string;
    setting: LinkingSetting;
  },
): Promise<{ pairs: Pair[]; statistics: Statistics } | null> {
  const { linkCandidates } = ctx.store;
  const { thread, opening, terms, embedder, setting } = own;
  const { recentHours } = ctx.config.linking;
  const by = { terms, embedder, recentHours, nearest: NEAREST, opening: thread.turns };
  const { candidates, ...statistics } = await linkCandidates.find(tx, userId, thread, by);
  const { startedAt } = thread;
  const best = bestCandidates(candidates, setting.weights, startedAt, recentHours, BEST);
  if (best.length === 0) return { pairs: [], statistics };
  const threadIds = best.map(({ threadId }) => threadId);
  const summaries = await summariesOf(ctx, tx, userId, threadIds);
  if (summaries === null) return null;
  const none = { threadId: thread.id, from: 1, to: 0 };
  const others = { threadIds, until: startedAt, last: comparedTurns(ctx.reasoner.generatedBy) };
  const earlier = await linkCandidates.turns(tx, userId, none, others, {
    embedder,
    ...readBy(ctx),
  });
  const pairs = best.flatMap(({ threadId, lastActivityAt }): Pair[] => {
    const turns = earlier.filter((turn) => turn.threadId === threadId);
    const summary = summaries.get(threadId) ?? null;
    return turns.length === 0
      ? []
      : [{ thread, opening, earlier: { threadId, turns, summary, lastActivityAt } }];
  });
  return { pairs, statistics };
}

/** The candidates' micro summaries, which are made first; null while they are made. */
async function summariesOf(
  ctx: Context,
  tx: Tx,
  userId: string,
  threadIds: readonly number[],
): Promise<Map<number, string | null> | null> {
  const { linkCandidates, compactions, jobs } = ctx.store;
  const now = ctx.clock();
  const found = await linkCandidates.summaries(tx, userId, threadIds, new Date(+now + SOON));
  const missing = found.filter(({ summary, isComplete }) => summary === null && !isComplete);
  for (const { threadId, isAsked, isOpen, isUnderWay } of missing) {
    // A thread that is over gets its summary as it is cut: a model reads it once.
    if (isAsked || (isUnderWay && !isOpen)) continue;
    await compactions.ask(tx, userId, threadId);
    await jobs.add(tx, userId, { step: 'compact-thread', subject: threadId, runAt: now });
  }
  const isMade = missing.every(({ isAsked, isUnderWay }) => isAsked && !isUnderWay);
  return isMade ? new Map(found.map(({ threadId, summary }) => [threadId, summary])) : null;
}
