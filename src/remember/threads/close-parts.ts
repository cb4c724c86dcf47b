import type { Context } from '../../context.ts';
import type { ThreadSegmentation as State } from '../../db/threads/segments.ts';
import type { ReadTurn as Turn } from '../../db/turns/turns.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import type { Cut } from '../../domain/segments/segmentation.ts';
import { openingSurprise } from '../../domain/segments/surprise.ts';
import type { Memory } from '../../memory.ts';
import type { StepOutput } from '../../reasoner/reasoner.ts';
import { saveCompaction } from '../episodes/save-compaction.ts';

type Found = StepOutput<'find-boundaries'>;

/** Pending turns of a thread that were looked at together. */
export type Window = {
  turns: Turn[];
  vectors: Float32Array[] | null;
  cuts: Cut[];
  /** What the reasoner said of parts on the way; first and last turn by their place in the window. */
  told: (Found['segments'][number] & { first: number; last: number })[];
  /** What it said of the window as a whole thread. */
  compaction: Found['compaction'];
};

/** A part of a window that is a segment now: its first and last turn by their place in it. */
type Part = { first: number; last: number };

/** From this surprise on the reasoner is asked, if it is a model: its level counts instead. */
const WORTH_ASKING = 0.5;

/**
 * Stores parts of a window as closed segments, which are captured next. What a model has said on the way of the whole
 * thread, if that is the one part, is stored with them: there is no thread left to compact.
 */
export async function closeParts(
  ctx: Context,
  userId: string,
  {
    state,
    window,
    parts,
  }: { state: State & { threadId: number }; window: Window; parts: readonly Part[] },
): Promise<void> {
  const { threadId } = state;
  const { turns, cuts, told } = window;
  // The surprise of each cut: between the part before it and the one behind it.
  const bounds = [0, ...cuts.map(({ index }) => index), turns.length];
  const surprises = await Promise.all(
    cuts.map((own, at) =>
      surpriseAt(ctx, userId, {
        window,
        cut: own,
        parts: {
          from: bounds[at] ?? 0,
          to: bounds[at + 2] ?? turns.length,
        },
      }),
    ),
  );
  const openings = [state.openSurprise, ...surprises];
  const news = await Promise.all(
    parts.map(({ first, last }) => newsAt(ctx, userId, { window, first, last })),
  );
  const drafts = parts.map(({ first, last }, at) => ({
    firstTurn: state.segmentedThrough + first + 1,
    lastTurn: state.segmentedThrough + last + 1,
    startedAt: (turns[first] as Turn).occurredAt,
    endedAt: (turns[last] as Turn).occurredAt,
    surprise: Math.max(openings[at] ?? 0, news[at] ?? 0),
    description: descriptionOf(ctx, { told, first, last }),
  }));
  const whole = drafts.length === 1 && drafts[0]?.description ? window.compaction : null;
  const save = async (memory: Memory) => {
    const { now } = memory;
    const rest = openings[parts.length] ?? 0;
    const ids = await memory.segments.close(threadId, state, drafts, rest, now);
    if (!ids) return null;
    const closings = drafts.map(({ firstTurn, lastTurn, surprise }, at): EventDraft => {
      const why = cuts[at]?.cause.toLowerCase() ?? (state.state === 'OPEN' ? 'forced' : 'idle');
      return {
        kind: 'SEGMENT_CLOSED',
        threadId,
        ...(ids[at] === undefined ? {} : { episodeId: ids[at] }),
        decision: `segment.close ${why} (turns ${firstTurn}-${lastTurn}, surprise ${surprise.toFixed(2)})`,
      };
    });
    memory.record(closings);
    memory.changed('segmentsClosed');
    await memory.reviews.reportImpressions(threadId);
    return { episodeId: whole && (await saveWhole(ctx, memory, { ...whole, state, turns })) };
  };
  const closed = await ctx.memory(userId).write(save, { since: state.epoch });
  if (!closed) return;
  if (whole) {
    const [about, skills] = [{ of: 'compaction', threadId } as const, whole.skills.length];
    const made = { turns: state.turnCount, summaries: 3, skills, episodeId: closed.episodeId };
    ctx.publisher.publishProgress(userId, { ...about, ...made });
  }
}

/** Stores the summaries of a thread that came with its boundaries. @returns the id of its PRIMARY */
function saveWhole(
  ctx: Context,
  memory: Memory,
  {
    state,
    turns,
    heading,
    skills,
    ...summaries
  }: NonNullable<Window['compaction']> & {
    state: State & { threadId: number };
    turns: readonly Turn[];
  },
): Promise<number> {
  const [first, last] = [turns[0] as Turn, turns.at(-1) as Turn];
  const times = { startedAt: first.occurredAt, endedAt: last.occurredAt };
  const { title = null, topic = null, approach = null } = heading ?? {};
  return saveCompaction(ctx, memory, {
    thread: { ...state, ...times, through: state.turnCount },
    ...summaries,
    ...{ title, topic, approach },
    skills: skills.map(({ evidence, ...skill }) => ({
      ...skill,
      evidenceTurns: evidence.map((index) => index + 1),
    })),
    model: ctx.reasoner.modelOf('find-boundaries'),
    isWithBoundaries: true,
  });
}

/** How surprising the opening of a part is that begins at a cut: 0 where time or length cut. */
async function surpriseAt(
  ctx: Context,
  userId: string,
  {
    window: { turns, vectors, told },
    cut: { index, cause },
    parts,
  }: { window: Window; cut: Cut; parts: { from: number; to: number } },
): Promise<number> {
  if (cause === 'GAP') return 0;
  const level = told.find(({ first }) => first === index)?.surprise;
  if (level !== undefined) return level;
  const { embedder, reasoner } = ctx;
  const ask = async () => {
    const before = turns.slice(parts.from, index);
    const segment = turns.slice(index, parts.to);
    return (await reasoner.judgeSurprise({ before, segment }, { userId })).surprise;
  };
  if (!vectors || !embedder) return ask();
  const measured = openingSurprise(
    vectors.slice(parts.from, index),
    vectors.slice(index, parts.to),
    embedder.profile.surprise,
  );
  return reasoner.generatedBy === 'MODEL' && measured >= WORTH_ASKING ? ask() : measured;
}

/** How shattering what a part tells is, whatever was before it: a model's level of it where there is one, else by rules. */
async function newsAt(
  ctx: Context,
  userId: string,
  { window: { turns, told }, first, last }: { window: Window; first: number; last: number },
): Promise<number> {
  const level = told.find((part) => part.first === first)?.surprise;
  if (level !== undefined) return level >= KEY_MOMENT ? level : 0;
  return ctx.rules.newsIn(turns.slice(first, last + 1), { userId });
}

/** What was said of exactly this part; null: it is described when it is captured. */
function descriptionOf(
  { reasoner }: Context,
  { told, first, last }: { told: Window['told']; first: number; last: number },
) {
  const own = told.find((part) => part.first === first && part.last === last);
  if (!own) return null;
  const { title, summary, topic, approach, outcomes } = own;
  const model = reasoner.modelOf('find-boundaries');
  return { title, summary, topic, approach, outcomes, generatedBy: reasoner.generatedBy, model };
}
