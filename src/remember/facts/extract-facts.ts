import type { Context, MemoryContext, Needs } from '../../context.ts';
import type { TurnRow as Turn } from '../../db/turns/remember.ts';
import type { Pending } from '../../db/vectors/index-progress.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { CONTEXT_TURNS, TURNS_AT_ONCE } from '../../domain/facts/fact.ts';
import { isIn } from '../../domain/turns/stretch.ts';
import type { Memory, MemoryReader } from '../../memory.ts';
import { readBy } from '../operations/read-by.ts';
import { readAgain } from './read-again.ts';
import { readCandidates, type TurnGroup } from './read-candidates.ts';
import { type FoundCandidate, reconcileCandidates } from './reconcile-facts.ts';

/** The name under which index_progress records the last turn that facts were extracted from. */
const PROGRESS = 'facts';
const BATCH = { turns: TURNS_AT_ONCE, characters: 100_000 };
/** How long the rules read at a time, in milliseconds, before other jobs of the lane get a turn. Mostly all is read in one piece. */
const PIECE = 1_000;
/** A model is asked about at least this many user turns (fewer if their thread is over), and about at most this many at once. */
const MODEL_TURNS = { least: 5, most: 20 };

/**
 * Extracts facts from a user's new turns (requirements 9.7): with the built-in rules after every turn, with a model after five
 * user turns or when a thread is over. The candidates are reconciled with the stored facts in event time.
 * @param turnId one turn to read again; 0 = all new turns
 */
export async function extractFacts(ctx: Context, userId: string, turnId = 0): Promise<StepOutcome> {
  if (turnId > 0) return readAgain(ctx, userId, turnId);
  const readPending = async (memory: MemoryReader) => {
    const pending = await memory.indexProgress.pending(PROGRESS, BATCH);
    if (pending.turns.length === 0) return null;
    const [places, storedFacts, { last }] = await Promise.all([
      memory.turns.places(pending.turns.map(({ id }) => id)),
      memory.facts.stored({}),
      memory.facts.counters(),
    ]);
    const stretches = places
      .filter(({ role }) => role === 'USER')
      .map(({ threadId, number }) => ({ threadId, from: number - CONTEXT_TURNS, to: number }));
    const around = await memory.turns.inStretches(stretches, readBy(ctx));
    return { pending, places, around, storedFacts, last };
  };
  // A late turn that came between two statements would move the numbers of the others.
  const read = await ctx.memory(userId).read(readPending, { snapshot: true });
  if (!read) return 'done';
  const { pending, places, around, storedFacts, last } = read;
  const fresh = places.filter(({ role }) => role === 'USER');
  const isModel = ctx.reasoner.generatedBy === 'MODEL';
  const isWaiting = fresh.length < MODEL_TURNS.least && fresh.every(({ isOpen }) => isOpen);
  if (isModel && fresh.length > 0 && isWaiting && !pending.more) return 'done';

  const groups = isModel
    ? joined(groupsOf(fresh, around, MODEL_TURNS.most))
    : groupsOf(fresh, around, 1);
  const within = isModel ? undefined : PIECE;
  const { candidates, read: count } = await readCandidates(ctx, userId, {
    groups,
    storedFacts,
    within,
  });
  const unread = count < groups.length ? fresh[count] : undefined;
  const seen = { ...pending, turns: pending.turns.filter(({ id }) => !unread || id < unread.id) };
  await save(ctx, userId, { pending: seen, candidates, last });
  return unread || pending.more ? 'again' : 'done';
}

/** Groups user turns of one thread that are read together, in the order of receipt. @param most turns per group */
function groupsOf(
  fresh: readonly { id: number; threadId: number; number: number }[],
  around: readonly Turn[],
  most: number,
): TurnGroup[] {
  const groups: { threadId: number; ids: Set<number>; numbers: number[] }[] = [];
  for (const { id, threadId, number } of fresh) {
    const open = groups.findLast((group) => group.threadId === threadId);
    const isNext = open && open.ids.size < most && number > Math.max(...open.numbers);
    if (isNext) {
      open.ids.add(id);
      open.numbers.push(number);
    } else {
      groups.push({ threadId, ids: new Set([id]), numbers: [number] });
    }
  }
  return groups.map(({ threadId, numbers }) => {
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    const stretch = { threadId, from: first - CONTEXT_TURNS, to: last };
    const turns = around.filter((turn) => isIn(stretch, turn));
    return { turns, contextTurns: turns.filter(({ number }) => number < first).length };
  });
}

/** Joins groups into fewer requests. A group without context turns, from the beginning of a thread, can follow another. */
function joined(groups: readonly TurnGroup[]): TurnGroup[] {
  const all: (TurnGroup & { fresh: number })[] = [];
  for (const { turns, contextTurns } of groups) {
    const fresh = turns.slice(contextTurns).filter(({ role }) => role === 'USER').length;
    const open = all.at(-1);
    if (open && contextTurns === 0 && open.fresh + fresh <= MODEL_TURNS.most) {
      open.turns = [...open.turns, ...turns];
      open.fresh += fresh;
    } else {
      all.push({ turns, contextTurns, fresh });
    }
  }
  return all;
}

/** @throws Overtaken if facts were added meanwhile, which the candidates were not compared with by meaning */
async function save(
  ctx: MemoryContext & Needs<'logger' | 'metrics'>,
  userId: string,
  {
    pending,
    candidates,
    last,
  }: { pending: Pending; candidates: readonly FoundCandidate[]; last: number },
): Promise<void> {
  const through = pending.turns.at(-1)?.id ?? pending.through;
  const store = async (memory: Memory) => {
    const [counters, isAdvanced] = await Promise.all([
      memory.facts.counters(),
      memory.indexProgress.advance(PROGRESS, pending, through),
    ]);
    if (counters.last !== last || !isAdvanced) throw new Overtaken();
    if (candidates.length > 0) await reconcileCandidates(ctx, memory, candidates);
  };
  await ctx.memory(userId).write(store, { since: pending.epoch });
}
