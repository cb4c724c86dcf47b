import type { MemoryContext, Needs } from '../../context.ts';
import type { ThreadSegmentation as State } from '../../db/threads/segments.ts';
import type { TurnRow as Turn } from '../../db/turns/remember.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import type { Cut } from '../../domain/segments/segmentation.ts';
import { openingSurprise } from '../../domain/segments/surprise.ts';
import type { Memory } from '../../memory.ts';
import type { StepOutput } from '../../reasoner/reasoner.ts';
import { saveCompaction } from '../episodes/save-compaction.ts';

type Found = StepOutput<'find-boundaries'>;

/** Pending turns of a thread that are segmented together. */
export type Window = {
  turns: Turn[];
  vectors: Float32Array[] | null;
  cuts: Cut[];
  /** The reasoner's descriptions of parts, if it returned any with the boundaries; turns by their index in the window. */
  described: (Found['segments'][number] & { first: number; last: number })[];
  /** Its compaction of the whole thread, if it returned one. */
  compaction: Found['compaction'];
};

/** A part of a window that becomes a segment: the indexes of its first and last turn. */
type Part = { first: number; last: number };

/** From this measured surprise on, a model is asked for its own level. */
const WORTH_ASKING = 0.5;

/**
 * Stores parts of a window as closed segments, which are captured next. If the only part is the whole thread, and a model
 * returned a compaction with the boundaries, that is stored with it, so that no compaction is needed afterwards.
 * @returns false if the thread changed meanwhile
 */
export async function closeParts(
  ctx: MemoryContext & Needs<'reasoner' | 'rules'>,
  userId: string,
  {
    state,
    window,
    parts,
  }: { state: State & { threadId: number }; window: Window; parts: readonly Part[] },
): Promise<boolean> {
  const { threadId } = state;
  const { turns, cuts, described } = window;
  // The surprise of each cut compares the part before it with the part after it.
  const bounds = [0, ...cuts.map(({ index }) => index), turns.length];
  const surprises = await Promise.all(
    cuts.map((one, at) =>
      surpriseAt(ctx, userId, {
        window,
        timeZone: state.timeZone,
        cut: one,
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
    description: descriptionOf(ctx, { described, first, last }),
  }));
  const whole = drafts.length === 1 && drafts[0]?.description ? window.compaction : null;
  const save = async (memory: Memory) => {
    const { now } = memory;
    const openSurprise = openings[parts.length] ?? 0;
    const ids = await memory.segments.close(threadId, state, drafts, openSurprise, now);
    if (!ids) return false;
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
    if (whole) await saveWhole(ctx, memory, { ...whole, state, turns });
    return true;
  };
  return ctx.memory(userId).write(save, { since: state.epoch });
}

/** Stores a compaction that was returned with the boundaries. @returns the id of the thread's PRIMARY episode */
function saveWhole(
  ctx: Needs<'reasoner'>,
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

/** The surprise of the part that begins at a cut, 0-1; 0 if the cut was made because of time or length. */
async function surpriseAt(
  ctx: Needs<'embedder' | 'reasoner'>,
  userId: string,
  {
    window: { turns, vectors, described },
    cut: { index, cause },
    parts,
    timeZone,
  }: { window: Window; cut: Cut; parts: { from: number; to: number }; timeZone: string | null },
): Promise<number> {
  if (cause === 'GAP') return 0;
  const level = described.find(({ first }) => first === index)?.surprise;
  if (level !== undefined) return level;
  const { embedder, reasoner } = ctx;
  const ask = async () => {
    const before = turns.slice(parts.from, index);
    const segment = turns.slice(index, parts.to);
    return (await reasoner.judgeSurprise({ before, segment, timeZone }, { userId })).surprise;
  };
  if (!vectors || !embedder) return ask();
  const measured = openingSurprise(
    vectors.slice(parts.from, index),
    vectors.slice(index, parts.to),
    embedder.profile.surprise,
  );
  return reasoner.generatedBy === 'MODEL' && measured >= WORTH_ASKING ? ask() : measured;
}

/** How momentous the news in a part is, whatever came before, 0-1: a model's level if there is one, else by rules. */
async function newsAt(
  ctx: Needs<'rules'>,
  userId: string,
  { window: { turns, described }, first, last }: { window: Window; first: number; last: number },
): Promise<number> {
  const level = described.find((part) => part.first === first)?.surprise;
  if (level !== undefined) return level >= KEY_MOMENT ? level : 0;
  return ctx.rules.newsIn(turns.slice(first, last + 1), { userId });
}

/** The description of exactly this part; null if there is none: then it is described when it is captured. */
function descriptionOf(
  { reasoner }: Needs<'reasoner'>,
  { described, first, last }: { described: Window['described']; first: number; last: number },
) {
  const match = described.find((part) => part.first === first && part.last === last);
  if (!match) return null;
  const { title, summary, topic, approach, outcomes } = match;
  const model = reasoner.modelOf('find-boundaries');
  return { title, summary, topic, approach, outcomes, generatedBy: reasoner.generatedBy, model };
}
