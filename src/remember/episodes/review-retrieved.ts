import type { MemoryContext, Needs } from '../../context.ts';
import type { Shown, ReviewState as State } from '../../db/episodes/reviews.ts';
import type { TurnRow as Turn } from '../../db/turns/remember.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { type MemoryRating, reviewSkip } from '../../domain/episodes/forgetting.ts';
import type { Memory, MemoryReader } from '../../memory.ts';
import { readBy } from '../operations/read-by.ts';
import { type Review, reviewOf } from './review.ts';

/** The most episodes rated at a time. */
const MOST = 50;
/** The newest turns in closed segments that they are rated by. */
const NEWEST = 200;

/** The impressions of a thread, and the turns that followed; `turns` is empty if none did and none will. */
type Read = { state: State; shown: Shown[]; turns: Turn[]; isAll: boolean };

/**
 * Lets the reasoner rate the episodes shown in a thread by how the talk continued, once that is in closed segments, and
 * updates their FSRS states (requirements 7.4). An episode is reviewed at most once a day, and not if it was reviewed since
 * it was shown.
 */
export async function reviewRetrieved(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const read = await ctx.memory(userId).read((memory) => readShown(ctx, memory, threadId));
  if (!read) return 'done';
  const ratings = await rate(ctx, userId, read);
  await ctx.memory(userId).write((memory) => save(ctx, memory, { ...read, threadId, ratings }), {
    since: read.state.epoch,
  });
  return read.isAll ? 'done' : 'again';
}

async function readShown(
  ctx: Needs<'reasoner'>,
  memory: MemoryReader,
  threadId: number,
): Promise<Read | null> {
  const state = await memory.reviews.state(threadId);
  if (!state) return null;
  const shown = await memory.reviews.shown(threadId, MOST);
  const { segmentedThrough: to } = state;
  const stretch = { threadId, from: Math.max(1, to - NEWEST + 1), to };
  const closed = shown.length > 0 ? await memory.turns.inStretches([stretch], readBy(ctx)) : [];
  const newest = Math.max(0, ...closed.map(({ id }) => id));
  const due = shown.filter(({ afterTurnId }) => afterTurnId < newest);
  const isAll = shown.length < MOST;
  if (due.length > 0) {
    const first = Math.min(...due.map(({ afterTurnId }) => afterTurnId));
    return { state, shown: due, turns: closed.filter(({ id }) => id > first), isAll };
  }
  return state.isOver && shown.length > 0 ? { state, shown, turns: [], isAll } : null;
}

/** When the last of these turns was said. */
const timeOf = (turns: readonly Turn[]): Date =>
  new Date(Math.max(...turns.map(({ occurredAt }) => occurredAt.getTime())));

/** The ratings of the episodes that are to be reviewed, by episode id. */
async function rate(
  { reasoner }: Needs<'reasoner'>,
  userId: string,
  { state, shown, turns }: Read,
): Promise<Map<number, MemoryRating>> {
  const due = shown.flatMap((one) => {
    const { episodeId, text } = one;
    const isDue = turns.length > 0 && !reviewSkip(one, timeOf(turns), state.timeZone);
    return text !== null && isDue ? [{ episodeId, text }] : [];
  });
  if (due.length === 0) return new Map();
  const memories = due.map(({ text }) => ({ text }));
  const { ratings } = await reasoner.rateRetrieved({ memories, turns }, { userId });
  return new Map(due.map(({ episodeId }, place) => [episodeId, ratings[place] ?? 'AGAIN']));
}

async function save(
  ctx: Needs<'reasoner' | 'logger'>,
  memory: Memory,
  {
    threadId,
    state,
    shown,
    turns,
    ratings,
  }: Read & { threadId: number; ratings: ReadonlyMap<number, MemoryRating> },
): Promise<void> {
  const { now } = memory;
  const ids = shown.map(({ episodeId }) => episodeId);
  const taken = await memory.reviews.take(threadId, ids);
  if (taken.length === 0) throw new Overtaken();
  const judge = {
    generatedBy: ctx.reasoner.generatedBy,
    model: ctx.reasoner.modelOf('rate-retrieved'),
    threadId,
    afterTurnId: Math.min(...shown.map(({ afterTurnId }) => afterTurnId)),
    throughTurnId: Math.max(0, ...turns.map(({ id }) => id)),
  };
  const reviews: Review[] = [];
  const events = taken.map((memory): EventDraft => {
    const { episodeId } = memory;
    const why = skipped(memory, {
      rating: ratings.get(episodeId),
      turns,
      timeZone: state.timeZone,
    });
    const kind = 'MEMORY_REVIEWED' as const;
    if ('skip' in why) {
      return { kind, threadId, episodeId, decision: `memory.review (skipped: ${why.skip})` };
    }
    const review = reviewOf(memory, { rating: why.rating, at: timeOf(turns), judge });
    reviews.push(review);
    return { ...review.event, threadId };
  });
  const drafts = reviews.map(({ draft }) => draft);
  await memory.reviews.save(drafts, now);
  memory.record(events);
  ctx.logger.info(
    { userId: memory.userId, threadId, shown: taken.length, rated: reviews.length },
    'memory.review',
  );
}

/** Checks again whether to skip the review, because the episode may have been reviewed while the reasoner worked. */
function skipped(
  memory: { shownAt: Date; lastReviewedAt: Date | null },
  {
    rating,
    turns,
    timeZone,
  }: { rating: MemoryRating | undefined; turns: readonly Turn[]; timeZone: string | null },
): { skip: string } | { rating: MemoryRating } {
  if (turns.length === 0) return { skip: 'no talk followed' };
  const skip = reviewSkip(memory, timeOf(turns), timeZone);
  if (skip) return { skip };
  return rating ? { rating } : { skip: 'no longer an episode' };
}
