import type { Context, MemoryContext, Needs } from '../../context.ts';
import type { CaptureContext, EpisodePart, PendingSegment } from '../../db/episodes/captures.ts';
import type { TurnRow } from '../../db/turns/remember.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { type CaptureKnobs, decideCapture, recordOf } from '../../domain/episodes/capture.ts';
import { knobsFor } from '../../domain/episodes/capture-settings.ts';
import { foundBy } from '../../domain/episodes/episode.ts';
import { firstState } from '../../domain/episodes/forgetting.ts';
import type { Theme } from '../../domain/episodes/theme.ts';
import type { Memory } from '../../memory.ts';
import { calendarOf } from '../../shared/calendar.ts';
import { readBy } from '../operations/read-by.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import { LOG_NAMES, logCapture, type Verdict } from './log-capture.ts';
import { recombine } from './recombine.ts';
import { surpriseAnew } from './surprise-anew.ts';

type Segment = PendingSegment & { surprise: number };
type Turns = TurnRow[];
type Description = NonNullable<Segment['description']>;

/** What the decision about a segment is made from. */
type Material = {
  segment: Segment;
  turns: Turns;
  around: CaptureContext;
  /** The parts of the episode that the segment is or is merged into so far. */
  parts: EpisodePart[];
  /** The name of the embedder; empty without one. */
  embedder: string;
};

/** When to try a blocked segment again, in milliseconds. */
const RETRY_AFTER = 500;

/**
 * Captures a user's next closed segment, the earliest first: it becomes an episode, is merged into an earlier one, or is
 * skipped (requirements 6.1). In any case its turns stay and can be found.
 */
export async function captureSegments(ctx: Context, userId: string): Promise<StepOutcome> {
  const embedder = (await ctx.embedder?.identify())?.name ?? '';
  const read = await ctx.memory(userId).read(async (memory) => {
    const segment = await memory.captures.next(ctx.clock());
    if (!segment || segment.isBlocked) return { segment };
    const { id, threadId, firstTurn: from, lastTurn: to, mergedIntoId, endedAt } = segment;
    const { date } = calendarOf(endedAt, segment.timeZone);
    const [turns, around, parts] = await Promise.all([
      memory.turns.inStretches([{ threadId, from, to }], readBy(ctx)),
      memory.captures.context(segment, embedder, date),
      memory.captures.parts(mergedIntoId ?? id),
    ]);
    return { segment, material: { turns, around, parts, embedder } };
  });
  if (!read.segment) return 'done';
  // Novelty, cooldown and quota depend on earlier turns, which must be segmented first.
  if (!read.material) return new Date(ctx.clock().getTime() + RETRY_AFTER);
  const { segment, material } = read;
  const { turns } = material;
  const surprise = segment.surprise ?? (await surpriseAnew(ctx, userId, { segment, turns }));
  await capture(ctx, userId, { ...material, segment: { ...segment, surprise } });
  return segment.isLast ? 'done' : 'again';
}

async function capture(
  ctx: Context,
  userId: string,
  { segment, turns, around, parts, embedder }: Material,
) {
  const started = performance.now();
  const usual = knobsFor(ctx.config.capture, segment.settings);
  const knobs = { ...usual, everything: usual.everything || segment.isImported };
  const description =
    segment.description ??
    (await describe(ctx, userId, { ...knobs, turns, timeZone: segment.timeZone }));
  const theme = await themeHere(ctx, userId, { turns, text: foundBy(description) });
  const { outcomes } = description;
  const verdict = await judge(ctx, userId, { knobs, segment, turns, outcomes, theme, around });
  const texts = { ...description, title: segment.title ?? description.title };
  const whole = await recombine(ctx, userId, {
    segment,
    parts,
    description: texts,
    target: verdict.mergeInto,
  });
  const isOwn = whole?.id === segment.id;
  const vector = isOwn ? whole.vector : theme.described;
  const save = async (memory: Memory) => {
    const saved = await memory.captures.save({
      ...texts,
      ...calendarOf(segment.endedAt, segment.timeZone),
      id: segment.id,
      turns: turns.length,
      summary: isOwn ? whole.summary : texts.summary,
      micro: texts.summary,
      approach: description.approach || null,
      surprise: segment.surprise,
      themeTerms: [...theme.terms],
      vectors: vector && theme.said && { embedder, described: vector, said: theme.said },
      verdict: storedVerdict(verdict, segment),
    });
    if (!saved) throw new Overtaken();
    if (whole && !isOwn) await memory.captures.revise(embedder, whole);
    await memory.semanticMemories.markStale([whole?.id ?? segment.id], memory.now);
    if (segment.isLast || verdict.status === 'CREATED') memory.changed('episodesDecided');
    memory.record(eventOf(segment, verdict));
    if (segment.isLastOfThread) memory.changed('threadCaptured', segment.threadId);
  };
  await ctx.memory(userId).write(save, { since: segment.epoch });
  logCapture(ctx, userId, {
    episode: segment.id,
    verdict,
    seconds: (performance.now() - started) / 1000,
  });
}

/** The verdict in its stored form; null if the earlier decision stays. */
function storedVerdict(verdict: Verdict, { endedAt, surprise }: Segment) {
  if (verdict.status === 'REVISED') return null;
  const { status, reason, record: signals, mergeInto: mergedIntoId } = verdict;
  const noState = { stability: null, difficulty: null };
  const state = status === 'CREATED' ? firstState(endedAt, surprise) : noState;
  return { ...state, status, reason, signals, mergedIntoId };
}

/** Describes a segment, by its newest turns only if there are many. */
async function describe(
  { reasoner }: Needs<'reasoner'>,
  userId: string,
  { turns, windowTurns, timeZone }: CaptureKnobs & { turns: Turns; timeZone: string | null },
): Promise<Description> {
  const leftOut = Math.max(0, turns.length - windowTurns);
  const input = { turns: turns.slice(leftOut), leftOut, timeZone };
  const description = await reasoner.describeSegment(input, { userId });
  const model = reasoner.modelOf('describe-segment');
  return { ...description, generatedBy: reasoner.generatedBy, model };
}

/** Decides about a segment. One that was captured before a late turn was added keeps its decision; only its texts change. */
async function judge(
  ctx: Needs<'rules' | 'embedder'>,
  userId: string,
  {
    knobs,
    segment,
    turns,
    outcomes,
    theme,
    around,
  }: {
    knobs: CaptureKnobs;
    segment: Segment;
    turns: Turns;
    outcomes: Description['outcomes'];
    theme: Theme;
    around: CaptureContext;
  },
): Promise<Verdict> {
  if (segment.wasTaken) return { status: 'REVISED', mergeInto: segment.mergedIntoId };
  const { startedAt, endedAt, surprise } = segment;
  const input = {
    startedAt,
    endedAt,
    surprise,
    turns,
    outcomes,
    theme,
    ...around,
    mergeWindowHours: knobs.mergeWindowHours,
    noveltyThreshold: ctx.embedder?.profile.thresholds.novelty ?? 1,
  };
  const signals = await ctx.rules.captureSignals(input, { userId });
  const decision = decideCapture(signals, knobs);
  return { ...decision, record: recordOf(decision, signals) };
}

/** The theme of a segment, with vectors if there is an embedder. @param text its description; empty if it has none */
async function themeHere(
  ctx: MemoryContext & Needs<'rules'>,
  userId: string,
  { turns, text }: { turns: Turns; text: string },
): Promise<Theme> {
  const { embedder, rules } = ctx;
  if (!embedder) return rules.theme({ turns, vectors: [], described: null }, { userId });
  const descriptions = text === '' ? [] : [text];
  const texts = [...descriptions, ...turns];
  const vectors = (await embedTexts({ ...ctx, embedder }, userId, texts)).map(vectorOf);
  const [described = null] = vectors.splice(0, descriptions.length);
  return rules.theme({ turns, vectors, described }, { userId });
}

const KINDS = {
  CREATED: 'EPISODE_CREATED',
  MERGED: 'EPISODE_MERGED',
  SKIPPED: 'EPISODE_SKIPPED',
  REVISED: 'EPISODE_REVISED',
} as const;

function eventOf({ id, threadId, firstTurn, lastTurn }: Segment, verdict: Verdict): EventDraft {
  const range = `turns ${firstTurn}-${lastTurn}`;
  const why =
    verdict.status === 'REVISED'
      ? `a turn came late; ${range}`
      : `${verdict.reason}; ${range}, notability ${verdict.scores.notability.toFixed(2)}`;
  const kind = KINDS[verdict.status];
  return { kind, threadId, episodeId: id, decision: `${LOG_NAMES[verdict.status]} (${why})` };
}
