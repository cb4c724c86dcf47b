import type { Context, MemoryContext, Needs } from '../../context.ts';
import type { PendingSegment } from '../../db/episodes/captures.ts';
import type { TurnRow } from '../../db/turns/remember.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { type CaptureKnobs, decideCapture, recordOf } from '../../domain/episodes/capture.ts';
import { knobsFor } from '../../domain/episodes/capture-settings.ts';
import { foundBy } from '../../domain/episodes/episode.ts';
import { firstState } from '../../domain/episodes/forgetting.ts';
import type { Theme } from '../../domain/episodes/theme.ts';
import { joinWithoutRepeats } from '../../domain/turns/restated.ts';
import type { Memory } from '../../memory.ts';
import { calendarOf } from '../../shared/calendar.ts';
import { personIn } from '../knowledge/person-in.ts';
import { readBy } from '../operations/read-by.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import { LOG_NAMES, logCapture, type Verdict } from './log-capture.ts';
import { surpriseAnew } from './surprise-anew.ts';

type Segment = PendingSegment & { surprise: number };
type Turns = TurnRow[];
type Description = NonNullable<Segment['description']>;

/** The summaries of an episode's parts are joined up to this many characters in all; longer ones are summarised again. */
const MOST_CHARACTERS = 1_000;

/** When to try a blocked segment again, in milliseconds. */
const RETRY_AFTER = 500;

/** The summary of an episode that has several parts. */
type Whole = { id: number; summary: string; vector: Float32Array | null };

/**
 * Captures a user's next closed segment, the earliest first: it becomes an episode, is merged into an earlier one, or is
 * skipped (requirements 6.1). In any case its turns stay and can be found.
 */
export async function captureSegments(ctx: Context, userId: string): Promise<StepOutcome> {
  const read = await ctx.memory(userId).read(async (memory) => {
    const segment = await memory.captures.next(ctx.clock());
    if (!segment || segment.isBlocked) return { segment };
    const { threadId, firstTurn: from, lastTurn: to } = segment;
    return {
      segment,
      turns: await memory.turns.inStretches([{ threadId, from, to }], readBy(ctx)),
    };
  });
  if (!read.segment) return 'done';
  // Novelty, cooldown and quota depend on earlier turns, which must be segmented first.
  if (!read.turns) return new Date(ctx.clock().getTime() + RETRY_AFTER);
  const { segment, turns } = read;
  const surprise = segment.surprise ?? (await surpriseAnew(ctx, userId, { segment, turns }));
  await capture(ctx, userId, { segment: { ...segment, surprise }, turns });
  return segment.isLast ? 'done' : 'again';
}

async function capture(
  ctx: Context,
  userId: string,
  { segment, turns }: { segment: Segment; turns: Turns },
) {
  const started = performance.now();
  const { embedder } = ctx;
  const usual = knobsFor(ctx.config.capture, segment.settings);
  const knobs = { ...usual, everything: usual.everything || segment.isImported };
  const description =
    segment.description ??
    (await describe(ctx, userId, { ...knobs, turns, timeZone: segment.timeZone }));
  const name = (await embedder?.identify())?.name ?? '';
  const theme = await themeHere(ctx, userId, { turns, text: foundBy(description) });
  const verdict = await judge(ctx, userId, { knobs, segment, turns, description, theme, name });
  const texts = { ...description, title: segment.title ?? description.title };
  const whole = await recombine(ctx, userId, {
    segment,
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
      vectors: vector && theme.said && { embedder: name, described: vector, said: theme.said },
      verdict: storedVerdict(verdict, segment),
    });
    if (!saved) throw new Overtaken();
    if (whole && !isOwn) await memory.captures.revise(name, whole);
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
  ctx: MemoryContext & Needs<'rules'>,
  userId: string,
  {
    knobs,
    segment,
    turns,
    description,
    theme,
    name,
  }: {
    knobs: CaptureKnobs;
    segment: Segment;
    turns: Turns;
    description: Description;
    theme: Theme;
    name: string;
  },
): Promise<Verdict> {
  if (segment.wasTaken) return { status: 'REVISED', mergeInto: segment.mergedIntoId };
  const { date } = calendarOf(segment.endedAt, segment.timeZone);
  const around = await ctx
    .memory(userId)
    .read((memory) => memory.captures.context(segment, name, date));
  const { startedAt, endedAt, surprise } = segment;
  const input = {
    startedAt,
    endedAt,
    surprise,
    turns,
    outcomes: description.outcomes,
    theme,
    recent: around.recent,
    saidBefore: around.saidBefore,
    last: around.last,
    createdToday: around.createdToday,
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

/**
 * Makes a summary of all parts of the episode that the segment is or is merged into.
 * @returns null if the episode has no other parts, or the segment has no summary
 */
async function recombine(
  ctx: MemoryContext & Needs<'reasoner'>,
  userId: string,
  {
    segment,
    description,
    target,
  }: {
    segment: Segment;
    description: { title: string | null; summary: string | null };
    target: number | null;
  },
): Promise<Whole | null> {
  const id = target ?? segment.id;
  const parts = await ctx.memory(userId).read((memory) => memory.captures.parts(id));
  const others = parts.filter((part) => part.id !== segment.id);
  if (others.length === 0 || description.summary === null) return null;
  const { title: ownTitle, summary: ownSummary } = description;
  const part = { title: ownTitle, summary: ownSummary, id: segment.id, endedAt: segment.endedAt };
  const episodes = [...others, part].sort(
    (a, b) => a.endedAt.getTime() - b.endedAt.getTime() || a.id - b.id,
  );
  const joined = joinWithoutRepeats(episodes.map((part) => part.summary));
  const { summary } =
    joined.length <= MOST_CHARACTERS
      ? { summary: joined }
      : await ctx.reasoner.summarizeEpisodes(
          { ...personIn([], segment.timeZone), episodes },
          { userId },
        );
  const title = parts.find((one) => one.id === id)?.title ?? description.title;
  const texts = [foundBy({ title, summary })];
  const { embedder } = ctx;
  const [embedded] = embedder ? await embedTexts({ ...ctx, embedder }, userId, texts) : [];
  return { id, summary, vector: embedded ? vectorOf(embedded) : null };
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
