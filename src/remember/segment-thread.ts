import type { Context } from '../context.ts';
import type { EventDraft } from '../domain/event.ts';
import { KEY_MOMENT } from '../domain/forgetting.ts';
import { earlierOf, gathered, type StepOutcome } from '../domain/job.ts';
import {
  type Cut,
  closeSegments,
  cutsOf,
  MAX_WINDOW,
  NO_SPLIT,
  segmentationDue,
  WINDOW,
} from '../domain/segmentation.ts';
import { openingSurprise, turnSurprises } from '../domain/surprise.ts';
import { embedTexts, vectorOf } from './embed-texts.ts';
import { readBy } from './read-by.ts';
import { wakeConsolidation } from './wake-consolidation.ts';

type Turn = Awaited<ReturnType<Context['store']['turns']['inStretches']>>[number];
type State = NonNullable<Awaited<ReturnType<Context['store']['segments']['state']>>>;
type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];
type Segments = Awaited<ReturnType<Context['reasoner']['findBoundaries']>>['segments'];
type Window = {
  turns: Turn[];
  vectors: Float32Array[] | null;
  cuts: Cut[];
  /** What the reasoner said of parts on the way; first and last turn by their place in the window. */
  told: (Segments[number] & { first: number; last: number })[];
};

/** From this surprise on the reasoner is asked, if it is a model: its level counts instead. */
const WORTH_ASKING = 0.5;

/**
 * Cuts a thread's pending turns into segments (system.md §4), a window at a time. What it closes is captured next; the
 * last segment stays open until the thread is idle.
 */
export async function segmentThread(
  ctx: Context,
  userId: string,
  threadId: number,
): Promise<StepOutcome> {
  const read = await readPending(ctx, userId, threadId);
  if (read === null) return 'done';
  if (read instanceof Date) return read;
  const { state, turns } = read;
  const pending = state.turnCount - state.segmentedThrough;
  const isOver = state.state !== 'OPEN';
  const close = ({ turns: own, cuts }: Window) =>
    closeSegments(own.length, cuts, { isOver: isOver && own.length === pending });

  // A model costs by the request: it reads at once what does not grow any more.
  const isWhole = isOver && ctx.reasoner.generatedBy === 'MODEL';
  let window = await cut(ctx, userId, isWhole ? turns : turns.slice(0, WINDOW));
  let closing = close(window);
  // What comes of the turns must not hang on how many had come when the step ran.
  if (closing.kind === 'widen' && (isOver || turns.length === MAX_WINDOW)) {
    window = await cut(ctx, userId, turns);
    closing = close(window);
  }
  const { segments } = ctx.store;
  if (closing.kind === 'widen') {
    const through = state.segmentedThrough;
    await ctx.db.asUser(userId, async (tx) => {
      await segments.noteTried(tx, userId, threadId, through, pending);
      await hurryCapture(ctx, tx, userId);
    });
    return 'done';
  }
  return save(ctx, userId, threadId, state, window, closing.parts);
}

/** Segments of other threads may have waited for these turns. */
const hurryCapture = (ctx: Context, tx: Tx, userId: string) =>
  ctx.store.jobs.hurry(tx, userId, { step: 'capture-segments', subject: 0, runAt: ctx.clock() });

/** An idle thread may have grown since its summaries without a segment to close; or it is compacted, and a session ends. */
async function wakeNext(ctx: Context, tx: Tx, userId: string, threadId: number, state: State) {
  if (state.compactedThrough >= state.turnCount) return wakeConsolidation(ctx, tx, userId);
  const job = { step: 'compact-thread', subject: threadId, runAt: ctx.clock() } as const;
  await ctx.store.jobs.add(tx, userId, job);
}

/** The next window of pending turns; a time when to look again; null when nothing is to be done for now. */
async function readPending(ctx: Context, userId: string, threadId: number) {
  return ctx.db.asUser(userId, async (tx) => {
    const { segments, turns } = ctx.store;
    const state = await segments.state(tx, userId, threadId);
    if (!state) return null;
    const { turnCount, segmentedThrough, oldest, newestReceivedAt, tried } = state;
    const now = ctx.clock();
    const isOver = state.state !== 'OPEN';
    const pending = turnCount - segmentedThrough;
    const quietAt = gathered('idle-thread', ctx.config.gather, earlierOf(newestReceivedAt, now));
    const due = segmentationDue({ pending, oldest, quietAt, tried, isOver }, now);
    if (!due || due > now) await hurryCapture(ctx, tx, userId);
    if (!due) {
      if (isOver && pending === 0) {
        await ctx.store.reviews.wake(tx, userId, threadId, now);
        await wakeNext(ctx, tx, userId, threadId, state);
      }
      return null;
    }
    if (due > now) return due;
    const stretch = { threadId, from: segmentedThrough + 1, to: segmentedThrough + MAX_WINDOW };
    return { state, turns: await turns.inStretches(tx, userId, [stretch], readBy(ctx)) };
  });
}

/** Asks both channels where a window is to be cut (seed 001: surprise and topic). */
async function cut(ctx: Context, userId: string, turns: Turn[]): Promise<Window> {
  // Seed 001: the rule check before either channel.
  if (turns.length < NO_SPLIT) return { turns, vectors: null, cuts: [], told: [] };
  const { embedder, reasoner } = ctx;
  const texts = turns.map(({ text }) => text);
  const [vectors, { boundaries, segments }] = await Promise.all([
    embedder ? vectorsOf(embedder, userId, texts) : null,
    reasoner.findBoundaries({ turns }, { userId }),
  ]);
  const starts = boundaries.map(({ index }) => index);
  const surprise =
    vectors && embedder ? turnSurprises(vectors, starts, embedder.profile.surprise) : [];
  const told = segments.map((segment, at) => ({
    ...segment,
    first: starts[at - 1] ?? 0,
    last: (starts[at] ?? turns.length) - 1,
  }));
  return { turns, vectors, cuts: cutsOf(turns, { boundaries, surprise }), told };
}

/** Null when a text is refused: then only the topic channel speaks. */
async function vectorsOf(
  embedder: NonNullable<Context['embedder']>,
  userId: string,
  texts: readonly string[],
): Promise<Float32Array[] | null> {
  const vectors = (await embedTexts(embedder, userId, texts)).flatMap(
    (embedded) => vectorOf(embedded) ?? [],
  );
  return vectors.length === texts.length ? vectors : null;
}

/** How surprising the opening of a part is that begins at a cut: 0 where time or length cut. */
async function surpriseAt(
  ctx: Context,
  userId: string,
  { turns, vectors, told }: Window,
  { index, cause }: Cut,
  parts: { from: number; to: number },
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
  { turns, told }: Window,
  first: number,
  last: number,
): Promise<number> {
  const level = told.find((part) => part.first === first)?.surprise;
  if (level !== undefined) return level >= KEY_MOMENT ? level : 0;
  return ctx.rules.newsIn(turns.slice(first, last + 1), { userId });
}

/** What was said of exactly this part; null: it is described when it is captured. */
function descriptionOf({ reasoner }: Context, told: Window['told'], first: number, last: number) {
  const own = told.find((part) => part.first === first && part.last === last);
  if (!own) return null;
  const { title, summary, topic, approach, outcomes } = own;
  const model = reasoner.modelOf('find-boundaries');
  return { title, summary, topic, approach, outcomes, generatedBy: reasoner.generatedBy, model };
}

async function save(
  ctx: Context,
  userId: string,
  threadId: number,
  state: State,
  window: Window,
  parts: readonly { first: number; last: number }[],
): Promise<StepOutcome> {
  const { turns, cuts, told } = window;
  // The surprise of each cut: between the part before it and the one behind it.
  const bounds = [0, ...cuts.map(({ index }) => index), turns.length];
  const surprises = await Promise.all(
    cuts.map((own, at) =>
      surpriseAt(ctx, userId, window, own, {
        from: bounds[at] ?? 0,
        to: bounds[at + 2] ?? turns.length,
      }),
    ),
  );
  const openings = [state.openSurprise, ...surprises];
  const news = await Promise.all(
    parts.map(({ first, last }) => newsAt(ctx, userId, window, first, last)),
  );
  const drafts = parts.map(({ first, last }, at) => ({
    firstTurn: state.segmentedThrough + first + 1,
    lastTurn: state.segmentedThrough + last + 1,
    startedAt: (turns[first] as Turn).occurredAt,
    endedAt: (turns[last] as Turn).occurredAt,
    surprise: Math.max(openings[at] ?? 0, news[at] ?? 0),
    description: descriptionOf(ctx, told, first, last),
  }));
  const { segments, events, jobs, reviews } = ctx.store;
  const now = ctx.clock();
  const closed = await ctx.db.asUser(
    userId,
    async (tx) => {
      const rest = openings[parts.length] ?? 0;
      const ids = await segments.close(tx, userId, threadId, state, drafts, rest, now);
      if (!ids) return false;
      const told = drafts.map(({ firstTurn, lastTurn, surprise }, at): EventDraft => {
        const why = cuts[at]?.cause.toLowerCase() ?? (state.state === 'OPEN' ? 'forced' : 'idle');
        return {
          kind: 'SEGMENT_CLOSED',
          threadId,
          ...(ids[at] === undefined ? {} : { episodeId: ids[at] }),
          decision: `segment.close ${why} (turns ${firstTurn}-${lastTurn}, surprise ${surprise.toFixed(2)})`,
        };
      });
      await events.append(tx, userId, told, now);
      await jobs.add(tx, userId, { step: 'capture-segments', subject: 0, runAt: now });
      await reviews.wake(tx, userId, threadId, now);
      return true;
    },
    { lock: true },
  );
  if (closed) ctx.announcer.announce(userId);
  return 'again';
}
