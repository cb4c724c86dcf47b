import { isDeepStrictEqual } from 'node:util';
import type { Context, Needs } from '../../context.ts';
import type { CaptureContext, EpisodePart, PendingSegment } from '../../db/episodes/captures.ts';
import type { CaptureDraft } from '../../db/episodes/save-captures.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { decideCapture, recordOf } from '../../domain/episodes/capture.ts';
import { firstState } from '../../domain/episodes/forgetting.ts';
import { isIn, stretchOf } from '../../domain/turns/stretch.ts';
import type { Memory } from '../../memory.ts';
import { calendarOf } from '../../shared/calendar.ts';
import { isOfData } from '../../shared/is-of-data.ts';
import { readBy } from '../operations/read-by.ts';
import { LOG_NAMES, logCapture, type Verdict } from './log-capture.ts';
import { type PreparedSegment, prepareSegment, type SegmentTurns } from './prepare-segment.ts';
import { recombine } from './recombine.ts';

/** What the decision about a segment is made from. */
type Material = PreparedSegment & {
  around: CaptureContext;
  /** The parts of the episode that the segment is or is merged into so far. */
  parts: EpisodePart[];
  /** The name of the embedder; empty without one. */
  embedder: string;
};

/** When to try a blocked segment again, in milliseconds. */
const RETRY_AFTER = 500;
/**
 * How many segments the built-in rules prepare at a time, with an embedder. A model prepares one: a kill then loses one paid
 * answer at most. The last attempt after failures, which has no embedder, takes one, too.
 */
const AT_ONCE = 8;

/**
 * Captures a user's next closed segments, the earliest first: each becomes an episode, is merged into an earlier one, or is
 * skipped (requirements 6.1). In any case its turns stay and can be found. Several are prepared at a time, but decided one after
 * the other, since novelty, cooldown and quota depend on what was captured before.
 */
export async function captureSegments(ctx: Context, userId: string): Promise<StepOutcome> {
  const pending = await readPending(ctx, userId);
  if (pending.length === 0) return 'done';
  const blocked = pending.findIndex(({ segment }) => segment.isBlocked);
  // The earlier turns of another thread must be segmented first.
  if (blocked === 0) return new Date(ctx.clock().getTime() + RETRY_AFTER);
  const ready = blocked < 0 ? pending : pending.slice(0, blocked);
  const over = new AbortController();
  const preparing = ready.map((one) =>
    prepareSegment(ctx, userId, { ...one, signal: over.signal }),
  );
  // If one fails, this run ends; others may fail later.
  for (const each of preparing) each.catch(() => undefined);
  try {
    return await captureInOrder(ctx, userId, preparing);
  } finally {
    over.abort();
  }
}

/** Captures segments one after the other, until one has changed since it was read, or an earlier one has come. */
async function captureInOrder(
  ctx: Context,
  userId: string,
  preparing: readonly Promise<PreparedSegment>[],
): Promise<StepOutcome> {
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  for (const [place, each] of preparing.entries()) {
    const prepared = await each;
    const { id, mergedIntoId, endedAt, timeZone } = prepared.segment;
    const { date } = calendarOf(endedAt, timeZone);
    // The first is captured as it was read: a model was paid for its description. The save finds out whether its turns have changed.
    const asRead = place === 0 ? [prepared.segment] : null;
    const [[segment], around, parts] = await ctx
      .memory(userId)
      .read((memory) =>
        Promise.all([
          asRead ?? memory.captures.pending(ctx.clock(), 1),
          memory.captures.context(prepared.segment, embedder, date),
          memory.captures.parts(mergedIntoId ?? id),
        ]),
      );
    if (!segment || !isUnchanged(segment, prepared.segment)) return 'again';
    await capture(ctx, userId, { ...prepared, segment, around, parts, embedder });
    if (segment.isLast) return 'done';
  }
  return 'again';
}

/** The next segments with their turns. */
async function readPending(ctx: Context, userId: string): Promise<SegmentTurns[]> {
  const isQuick = ctx.reasoner.generatedBy !== 'MODEL' && ctx.embedder !== null;
  const most = isQuick ? AT_ONCE : 1;
  return ctx.memory(userId).read(async (memory) => {
    const segments = await memory.captures.pending(ctx.clock(), most);
    const turns = await memory.turns.inStretches(segments.map(stretchOf), readBy(ctx));
    return segments.map((segment) => ({
      segment,
      turns: turns.filter((turn) => isIn(stretchOf(segment), turn)),
    }));
  });
}

/** Whether a segment that is read again is free and as it was, and nothing of the user was erased meanwhile. */
function isUnchanged(now: PendingSegment, before: PendingSegment): boolean {
  const { isLast, isLastOfThread } = now;
  return isDeepStrictEqual(now, { ...before, isLast, isLastOfThread });
}

/** What is left out if the database refuses the words of a segment. */
const WORDLESS = {
  ...{ title: null, summary: null, micro: null, topic: null, approach: null },
  themeTerms: [],
  vectors: null,
};

async function capture(ctx: Context, userId: string, material: Material) {
  const { segment, turns, surprise, description, theme, parts, embedder, started } = material;
  const verdict = await judge(ctx, userId, material);
  const texts = { ...description, title: segment.title ?? description.title };
  const whole = await recombine(ctx, userId, {
    segment,
    parts,
    description: texts,
    target: verdict.mergeInto,
  });
  const isOwn = whole?.id === segment.id;
  const vector = isOwn ? whole.vector : theme.described;
  const draft: CaptureDraft = {
    ...texts,
    ...calendarOf(segment.endedAt, segment.timeZone),
    id: segment.id,
    turns: turns.length,
    summary: isOwn ? whole.summary : texts.summary,
    micro: texts.summary,
    approach: description.approach || null,
    surprise,
    themeTerms: [...theme.terms],
    vectors: vector && theme.said && { embedder, described: vector, said: theme.said },
    verdict: storedVerdict(verdict, surprise),
  };
  const save = (stored: CaptureDraft) => async (memory: Memory) => {
    if (!(await memory.captures.save(stored))) throw new Overtaken();
    if (whole && !isOwn) await memory.captures.revise(embedder, whole);
    await memory.semanticMemories.markStale([whole?.id ?? segment.id], memory.now);
    if (segment.isLast || verdict.status === 'CREATED') memory.changed('episodesDecided');
    memory.record(eventOf(segment, verdict));
    if (segment.isLastOfThread) memory.changed('threadCaptured', segment.threadId);
  };
  const write = (stored: CaptureDraft) =>
    ctx.memory(userId).write(save(stored), { since: segment.epoch });
  await write(draft).catch((error: unknown) => {
    if (!isOfData(error)) throw error;
    // Otherwise the segments after it would wait for it for ever.
    ctx.logger.warn({ err: error, userId, episode: segment.id }, 'episodic.refused');
    return write({ ...draft, ...WORDLESS });
  });
  logCapture(ctx, userId, {
    episode: segment.id,
    verdict,
    seconds: (performance.now() - started) / 1000,
  });
}

/** The verdict in its stored form; null if the earlier decision stays. */
function storedVerdict(verdict: Verdict, surprise: number) {
  if (verdict.status === 'REVISED') return null;
  const { status, reason, record: signals, mergeInto: mergedIntoId } = verdict;
  const noState = { stability: null, difficulty: null };
  const state = status === 'CREATED' ? firstState(surprise) : noState;
  return { ...state, status, reason, signals, mergedIntoId };
}

/** Decides about a segment. One that was captured before a late turn was added keeps its decision; only its texts change. */
async function judge(
  ctx: Needs<'rules' | 'embedder'>,
  userId: string,
  {
    knobs,
    segment,
    surprise,
    turns,
    description,
    theme,
    around,
  }: Omit<Material, 'parts' | 'embedder'>,
): Promise<Verdict> {
  if (segment.wasTaken) return { status: 'REVISED', mergeInto: segment.mergedIntoId };
  const { startedAt, endedAt } = segment;
  const input = {
    startedAt,
    endedAt,
    surprise,
    turns,
    outcomes: description.outcomes,
    theme,
    ...around,
    mergeWindowHours: knobs.mergeWindowHours,
    noveltyThreshold: ctx.embedder?.profile.thresholds.novelty ?? 1,
  };
  const signals = await ctx.rules.captureSignals(input, { userId });
  const decision = decideCapture(signals, knobs);
  return { ...decision, record: recordOf(decision, signals) };
}

const KINDS = {
  CREATED: 'EPISODE_CREATED',
  MERGED: 'EPISODE_MERGED',
  SKIPPED: 'EPISODE_SKIPPED',
  REVISED: 'EPISODE_REVISED',
} as const;

function eventOf(
  { id, threadId, firstTurn, lastTurn }: PendingSegment,
  verdict: Verdict,
): EventDraft {
  const range = `turns ${firstTurn}-${lastTurn}`;
  const why =
    verdict.status === 'REVISED'
      ? `a turn came late; ${range}`
      : `${verdict.reason}; ${range}, notability ${verdict.scores.notability.toFixed(2)}`;
  const kind = KINDS[verdict.status];
  return { kind, threadId, episodeId: id, decision: `${LOG_NAMES[verdict.status]} (${why})` };
}
