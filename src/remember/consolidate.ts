import type { Context } from '../context.ts';
import {
  type Compression,
  compressionOf,
  decisiveEpisodes,
  episodesDue,
} from '../domain/consolidation.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import { gathered, type StepOutcome } from '../domain/job.ts';
import { byHand } from './by-hand.ts';
import { personIn } from './person-in.ts';
import { wakeDueProfile } from './synthesize-profile.ts';

type Store = Context['store']['semanticMemories'];
type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];
type Saved = NonNullable<Awaited<ReturnType<Store['save']>>>;

/** What one semantic memory is told from; `id` is null for a new one. */
type Read = {
  epoch: number;
  id: number | null;
  sources: Awaited<ReturnType<Store['sources']>>;
  /** Earlier memories. */
  context: Awaited<ReturnType<Store['newestBefore']>>;
  /** Who it is about, and what the episodes told of them. */
  told: ReturnType<typeof personIn>;
};

/** What became of it: a memory that was told, or one of which no episode is left. */
type Told = { isNew: boolean; memory: Saved | null };

/** What a consolidation by hand came to (seed 003 §2.3). */
export type ConsolidationResult = {
  episodesProcessed: number;
  semanticMemoriesCreated: number;
  semanticMemoriesRebuilt: number;
  /** The last one. */
  semanticMemoryId: number | null;
  compression: Compression | null;
};

/** Earlier summaries that are shown with the episodes. */
const MOST_CONTEXT = 20;

/**
 * Compresses all of a user's episodes that are in no semantic memory to one (seed 003 §2), once there are enough, or a
 * session has ended; and tells anew what is stale. Then the profile may be due. While a session goes on it looks again when
 * that may have ended.
 */
export async function consolidate(ctx: Context, userId: string): Promise<StepOutcome> {
  if (await tellNext(ctx, userId, false)) return 'again';
  await wakeDueProfile(ctx, userId);
  const now = ctx.clock();
  const end = await ctx.db.asUser(userId, (tx) => ctx.store.sessions.nextEnd(tx, userId, now));
  return end && end > now ? end : 'done';
}

/**
 * The same now, however few episodes there are.
 * @throws ModelUnavailable
 */
export async function consolidateNow(ctx: Context, userId: string): Promise<ConsolidationResult> {
  const told: Told[] = [];
  for (;;) {
    const next = await byHand(ctx, () => tellNext(ctx, userId, true));
    if (!next) break;
    told.push(next);
  }
  await wakeDueProfile(ctx, userId);
  const memories = told.flatMap(({ memory }) => memory ?? []);
  const created = told.filter(({ isNew }) => isNew).length;
  return {
    episodesProcessed: memories.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
    semanticMemoriesCreated: created,
    semanticMemoriesRebuilt: memories.length - created,
    semanticMemoryId: memories.at(-1)?.id ?? null,
    compression: compressionOf(memories),
  };
}

/** Tells one memory; null when none is due. @throws ErasedMeanwhile */
async function tellNext(ctx: Context, userId: string, isAsked: boolean): Promise<Told | null> {
  const read = await ctx.db.asUser(userId, (tx) => readNext(ctx, tx, userId, isAsked));
  if (!read) return null;
  const { id, sources } = read;
  if (id !== null && sources.length === 0) return dropEmpty(ctx, userId, id);
  const summary = await tell(ctx, userId, read);
  const memory = await ctx.db.asUser(userId, (tx) => save(ctx, tx, userId, read, summary), {
    lock: true,
  });
  const { episodeCount, turnCount } = memory;
  ctx.announcer.announce(userId);
  ctx.logger.info({ userId, memory: memory.id, episodeCount, turnCount }, 'memory.summarize');
  return { isNew: id === null, memory };
}

async function tell(
  { reasoner }: Context,
  userId: string,
  { sources, context, told }: Read,
): Promise<string> {
  const episodes = sources.map(({ title, summary, endedAt }) => ({ title, summary, endedAt }));
  const existing = context.map(({ summary }) => summary);
  const { person, facts } = told;
  const input = { person, facts, episodes, existing };
  return (await reasoner.summarizeEpisodes(input, { userId })).summary;
}

async function readNext(
  ctx: Context,
  tx: Tx,
  userId: string,
  isAsked: boolean,
): Promise<Read | null> {
  const { semanticMemories } = ctx.store;
  const first = decisiveEpisodes(ctx.config.consolidation);
  const state = await semanticMemories.state(tx, userId, { isAsked, first, now: ctx.clock() });
  if (!state) return null;
  const { epoch, unsummarised, staleId: id } = state;
  const due = episodesDue(unsummarised, ctx.config.consolidation, isAsked);
  if (id === null && due === 0) return null;
  const sources = await semanticMemories.sources(tx, userId, id, id === null ? due : null);
  const context = await semanticMemories.newestBefore(tx, userId, id, MOST_CONTEXT);
  const ids = sources.map((source) => source.id);
  const { timeZone, facts } = await semanticMemories.toldOf(tx, userId, ids, ctx.clock());
  return { epoch, id, sources, context, told: personIn(facts, timeZone) };
}

async function save(
  ctx: Context,
  tx: Tx,
  userId: string,
  { epoch, id, sources, context }: Read,
  summary: string,
): Promise<Saved> {
  const { semanticMemories, events, jobs } = ctx.store;
  const { generatedBy } = ctx.reasoner;
  const model = ctx.reasoner.modelOf('summarize-episodes');
  const contextIds = context.map((memory) => memory.id);
  const draft = { id, summary, generatedBy, model, contextIds };
  const now = ctx.clock();
  const memory = await semanticMemories.save(tx, userId, epoch, draft, sources, now);
  if (!memory) throw new ErasedMeanwhile();
  const made = `${memory.episodeCount} episodes, ${memory.turnCount} turns, by ${model}`;
  const event =
    id === null
      ? { kind: 'SEMANTIC_MEMORY_FORMED' as const, decision: `memory.summarize (${made})` }
      : { kind: 'SEMANTIC_MEMORY_REBUILT' as const, decision: `memory.rebuild (${made})` };
  await events.append(tx, userId, { ...event, details: { semanticMemory: memory.id } }, now);
  if (ctx.embedder) {
    const runAt = gathered('embed-episodes', ctx.config.gather, now);
    await jobs.add(tx, userId, { step: 'embed-episodes', subject: 0, runAt });
  }
  return memory;
}

async function dropEmpty(ctx: Context, userId: string, id: number): Promise<Told> {
  const { semanticMemories } = ctx.store;
  const now = ctx.clock();
  await ctx.db.asUser(userId, (tx) => semanticMemories.dropEmpty(tx, userId, id, now), {
    lock: true,
  });
  ctx.logger.info({ userId, memory: id }, 'memory.drop');
  return { isNew: false, memory: null };
}
