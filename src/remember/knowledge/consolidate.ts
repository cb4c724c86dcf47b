import type { MemoryContext, Needs } from '../../context.ts';
import type { SavedMemory as Saved } from '../../db/knowledge/semantic-memories.ts';
import type { Source } from '../../db/knowledge/semantic-memory-sources.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import {
  type Compression,
  compressionOf,
  decisiveEpisodes,
  episodesDue,
} from '../../domain/episodes/consolidation.ts';
import type { Memory, MemoryReader } from '../../memory.ts';
import { onDemand } from '../operations/on-demand.ts';
import { type PersonAndFacts, personIn } from './person-in.ts';
import { triggerDueProfile } from './synthesize-profile.ts';

/** What one semantic memory is made from; `id` is null for a new one. */
type Read = {
  epoch: number;
  id: number | null;
  sources: Source[];
  /** Earlier semantic memories. */
  context: { id: number; summary: string }[];
  /** The person it is about, and the facts about them that the episodes state. */
  about: PersonAndFacts;
};

/** A semantic memory that was written, or (null) dropped because it has no episodes left. */
type Written = { isNew: boolean; memory: Saved | null };

/** The result of a consolidation by hand (requirements 10.5). */
export type ConsolidationResult = {
  episodesProcessed: number;
  semanticMemoriesCreated: number;
  semanticMemoriesRebuilt: number;
  /** The last memory that was written. */
  semanticMemoryId: number | null;
  compression: Compression | null;
};

/** The most earlier summaries that are given to the reasoner with the episodes. */
const MOST_CONTEXT = 20;

/**
 * Summarises all of a user's episodes that are in no semantic memory as a new one (requirements 10.3), once there are enough or
 * a session has ended, and rewrites stale memories. Afterwards triggers the profile if it is due. During a session the step
 * runs again when that may have ended.
 */
export async function consolidate(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
): Promise<StepOutcome> {
  if (await writeNext(ctx, userId, false)) return 'again';
  const now = ctx.clock();
  const end = await ctx.memory(userId).write(
    async (memory) => {
      const [nextEnd] = await Promise.all([
        memory.sessions.nextEnd(now),
        triggerDueProfile(memory),
      ]);
      return nextEnd;
    },
    { lock: false, readsFirst: true },
  );
  return end && end > now ? end : 'done';
}

/**
 * The same at once, however few episodes there are.
 * @throws ModelUnavailable
 */
export async function consolidateNow(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
): Promise<ConsolidationResult> {
  const written: Written[] = [];
  for (;;) {
    const next = await onDemand(ctx, () => writeNext(ctx, userId, true));
    if (!next) break;
    written.push(next);
  }
  await ctx.memory(userId).write(triggerDueProfile, { lock: false, request: 'consolidateNow' });
  const memories = written.flatMap(({ memory }) => memory ?? []);
  const created = written.filter(({ isNew }) => isNew).length;
  return {
    episodesProcessed: memories.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
    semanticMemoriesCreated: created,
    semanticMemoriesRebuilt: memories.length - created,
    semanticMemoryId: memories.at(-1)?.id ?? null,
    compression: compressionOf(memories),
  };
}

/** Writes one semantic memory; null if none is due. @throws Overtaken */
async function writeNext(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
  isAsked: boolean,
): Promise<Written | null> {
  const read = await ctx.memory(userId).read((memory) => readNext(ctx, memory, isAsked));
  if (!read) return null;
  const { id, sources } = read;
  if (id !== null && sources.length === 0) return dropEmpty(ctx, userId, id);
  const summary = await summarize(ctx, userId, read);
  const saved = await ctx
    .memory(userId)
    .write((memory) => save(ctx, memory, { ...read, summary }), {
      since: read.epoch,
      request: 'consolidateNow',
    });
  const { episodeCount, turnCount } = saved;
  ctx.logger.info({ userId, memory: saved.id, episodeCount, turnCount }, 'memory.summarize');
  return { isNew: id === null, memory: saved };
}

async function summarize(
  { reasoner }: Needs<'reasoner'>,
  userId: string,
  { sources, context, about }: Read,
): Promise<string> {
  const episodes = sources.flatMap(({ title, parts }) => parts.map((part) => ({ title, ...part })));
  const existing = context.map(({ summary }) => summary);
  const { person, facts } = about;
  const input = { person, facts, episodes, existing };
  return (await reasoner.summarizeEpisodes(input, { userId })).summary;
}

async function readNext(
  ctx: Needs<'config' | 'clock'>,
  memory: MemoryReader,
  isAsked: boolean,
): Promise<Read | null> {
  const first = decisiveEpisodes(ctx.config.consolidation);
  const state = await memory.semanticMemories.state({ isAsked, first, now: ctx.clock() });
  if (!state) return null;
  const { epoch, unsummarised, staleId: id } = state;
  const due = episodesDue(unsummarised, ctx.config.consolidation, isAsked);
  if (id === null && due === 0) return null;
  const sources = await memory.semanticMemories.sources(id, id === null ? due : null);
  const context = await memory.semanticMemories.newestBefore(id, MOST_CONTEXT);
  const ids = sources.map((source) => source.id);
  const { timeZone, facts } = await memory.semanticMemories.factsOf(ids, ctx.clock());
  return { epoch, id, sources, context, about: personIn(facts, timeZone) };
}

async function save(
  ctx: Needs<'reasoner'>,
  memory: Memory,
  { id, sources, context, summary }: Read & { summary: string },
): Promise<Saved> {
  const { generatedBy } = ctx.reasoner;
  const model = ctx.reasoner.modelOf('summarize-episodes');
  // The built-in rules use the context only to leave out what it says.
  const contextIds = generatedBy === 'MODEL' ? context.map((earlier) => earlier.id) : [];
  const draft = { id, summary, generatedBy, model, contextIds };
  const saved = await memory.semanticMemories.save(draft, sources, memory.now);
  if (!saved) throw new Overtaken();
  const details = `${saved.episodeCount} episodes, ${saved.turnCount} turns, by ${model}`;
  const event =
    id === null
      ? { kind: 'SEMANTIC_MEMORY_FORMED' as const, decision: `memory.summarize (${details})` }
      : { kind: 'SEMANTIC_MEMORY_REBUILT' as const, decision: `memory.rebuild (${details})` };
  memory.record({ ...event, details: { semanticMemory: saved.id } });
  memory.changed('summariesWritten');
  return saved;
}

/** @throws Overtaken if it has got episodes meanwhile: without that, a step would drop it again and again */
async function dropEmpty(
  ctx: MemoryContext & Needs<'logger'>,
  userId: string,
  id: number,
): Promise<Written> {
  const isDropped = await ctx
    .memory(userId)
    .write((memory) => memory.semanticMemories.dropEmpty(id, memory.now));
  if (!isDropped) throw new Overtaken();
  ctx.logger.info({ userId, memory: id }, 'memory.drop');
  return { isNew: false, memory: null };
}
