import type { Context } from '../../context.ts';
import type { ComparedTurn as Turn } from '../../db/links/compared-turns.ts';
import type { FoundCandidates } from '../../db/links/link-candidates.ts';
import type { ThreadToLink as Thread } from '../../db/links/threads-to-link.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { vectorIndexName } from '../../domain/core/vector.ts';
import {
  BEST,
  bestCandidates,
  comparedTurns,
  type LinkingSetting,
  NEAREST,
  OPENING,
} from '../../domain/links/linking.ts';
import type { Memory } from '../../memory.ts';
import type { ReasonerAssessment } from '../../reasoner/reasoner.ts';
import { readBy } from '../operations/read-by.ts';
import { askReasoner } from './ask-reasoner.ts';
import { assessPair, type Pair, partsOf } from './assess-pair.ts';
import { linkingSetting } from './linking-setting.ts';
import { saveLinks } from './save-links.ts';

type Statistics = Omit<FoundCandidates, 'candidates'>;

/** Summaries whose jobs are due within this many milliseconds are awaited. */
const SOON = 60_000;

/**
 * Compares a user's new threads with earlier ones and decides which belong together (requirements 11.1), the earliest first:
 * once a thread says something, again when it has its first six turns, and again when it is over. Progress is published to
 * the subscription `linking`.
 */
export async function linkThreads(ctx: Context, userId: string): Promise<StepOutcome> {
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  const indexes = ['keywords', ...(embedder === '' ? [] : [vectorIndexName(embedder)])];
  const next = await ctx.memory(userId).read(async (memory) => {
    const thread = await memory.linkCandidates.next(indexes, {
      opening: OPENING,
      whole: comparedTurns(ctx.reasoner.generatedBy),
      soon: new Date(+memory.now + SOON),
    });
    if (!thread) return null;
    const range = { threadId: thread.id, from: 1, to: thread.turns };
    return {
      thread,
      opening: await memory.linkCandidates.turns(range, NONE, { embedder, ...readBy(ctx) }),
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
  if (isSettled) return saveLinks(ctx, userId, { thread: seen, drafts: [] });
  const { saysSomething, terms } = await ctx.rules.readOpening({ turns: opening }, { userId });
  if (!saysSomething) return saveLinks(ctx, userId, { thread: seen, drafts: [] });
  // The step that writes the summary triggers this one again. It looks again without that, too: the other may fail for good.
  if (thread.isEarly) return new Date(ctx.clock().getTime() + SOON);
  const setting = await linkingSetting(ctx, userId);
  const found = await ctx
    .memory(userId)
    .write((memory) => findPairs(ctx, memory, { thread, opening, terms, embedder, setting }), {
      lock: false,
    });
  // The step that writes the missing summaries triggers this one again.
  if (found === null) return 'done';
  const { pairs, statistics } = found;
  for (const { earlier } of pairs) {
    const which = { threadId: thread.id, earlierThreadId: earlier.threadId };
    ctx.publisher.publishProgress(userId, { of: 'linking', stage: 'CANDIDATE', ...which });
  }
  // The comparisons start first, because the built-in reasoner works in the same language thread.
  const compared = pairs.map((pair) => partsOf(ctx, userId, { ...pair, statistics }));
  const asked = askReasoner(ctx, userId, {
    setting,
    message: opening,
    pairs,
    compared,
    timeZone: thread.timeZone,
  });
  const drafts = await Promise.all(
    pairs.map((pair, at) => {
      const assessment = asked.then((assessments) => assessments[at] as ReasonerAssessment);
      const parts = compared[at] as (typeof compared)[number];
      return assessPair(ctx, userId, { setting, pair, parts, asked: assessment });
    }),
  );
  return saveLinks(ctx, userId, { thread: seen, drafts });
}

/** How many first turns the decision covers: those present while the thread is open, the maximum once it is over. */
const turnsSeen = ({ isOpen, turns }: Thread, whole: number): number => (isOpen ? turns : whole);

const NONE = { threadIds: [], until: new Date(0), last: 0 };

/** The best earlier threads for a new one; null while their summaries are being written. */
async function findPairs(
  ctx: Context,
  memory: Memory,
  input: {
    thread: Thread;
    opening: Turn[];
    terms: string[];
    embedder: string;
    setting: LinkingSetting;
  },
): Promise<{ pairs: Pair[]; statistics: Statistics } | null> {
  const { thread, opening, terms, embedder, setting } = input;
  const { recentHours } = ctx.config.linking;
  const by = { terms, embedder, recentHours, nearest: NEAREST, opening: thread.turns };
  const { candidates, ...statistics } = await memory.linkCandidates.find(thread, by);
  const { startedAt } = thread;
  const best = bestCandidates(candidates, setting.weights, startedAt, recentHours, BEST);
  if (best.length === 0) return { pairs: [], statistics };
  const threadIds = best.map(({ threadId }) => threadId);
  const summaries = await summariesOf(memory, threadIds);
  if (summaries === null) return null;
  const none = { threadId: thread.id, from: 1, to: 0 };
  const others = { threadIds, until: startedAt, last: comparedTurns(ctx.reasoner.generatedBy) };
  const earlier = await memory.linkCandidates.turns(none, others, {
    embedder,
    ...readBy(ctx),
  });
  const assessed = await assessedBefore(ctx, memory, thread);
  const pairs = best.flatMap(({ threadId, lastActivityAt }): Pair[] => {
    const turns = earlier.filter((turn) => turn.threadId === threadId);
    if (turns.length === 0) return [];
    const summary = summaries.get(threadId) ?? null;
    const earlierThread = { threadId, turns, summary, lastActivityAt };
    return [{ thread, opening, earlier: earlierThread, assessed: assessed.get(threadId) ?? null }];
  });
  return { pairs, statistics };
}

/**
 * A model's assessments of the thread when it had fewer turns, by earlier thread. The built-in rules cost nothing, so they
 * always assess again.
 */
async function assessedBefore(
  { reasoner }: Context,
  memory: Memory,
  { id, linkedTurns }: Thread,
): Promise<Map<number, ReasonerAssessment>> {
  const { generatedBy } = reasoner;
  if (generatedBy !== 'MODEL' || linkedTurns === 0) return new Map();
  const by = { generatedBy, model: reasoner.modelOf('assess-relatedness') };
  const earlierAssessments = await memory.links.earlierAssessments(id, by);
  return new Map(
    earlierAssessments.map(({ earlierThreadId, ...assessment }) => [earlierThreadId, assessment]),
  );
}

/** The micro summaries of the candidates. Requests missing ones and returns null until they are written. */
async function summariesOf(
  memory: Memory,
  threadIds: readonly number[],
): Promise<Map<number, string | null> | null> {
  const { now } = memory;
  const found = await memory.linkCandidates.summaries(threadIds, new Date(+now + SOON));
  const missing = found.filter(({ summary, isComplete }) => summary === null && !isComplete);
  for (const { threadId, isAsked, isOpen, isUnderWay } of missing) {
    // A thread that is over gets its summary when it is segmented, so that a model reads it only once.
    if (isAsked || (isUnderWay && !isOpen)) continue;
    await memory.compactions.ask(threadId);
    memory.changed('compactionRequested', threadId);
  }
  const areComplete = missing.every(({ isAsked, isUnderWay }) => isAsked && !isUnderWay);
  return areComplete ? new Map(found.map(({ threadId, summary }) => [threadId, summary])) : null;
}
