import type { Context } from '../../context.ts';
import type { ReadTurn as Turn } from '../../db/turns/turns.ts';
import type { Pending } from '../../db/vectors/index-progress.ts';
import { ErasedMeanwhile } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { readBy } from '../operations/read-by.ts';
import { readAgain } from './read-again.ts';
import { readCandidates, type TurnGroup } from './read-candidates.ts';
import { type FoundCandidate, reconcileCandidates } from './reconcile-facts.ts';

/** Up to which turn facts were taken, beside the indexes. */
const PROGRESS = 'facts';
const BATCH = { turns: 40, characters: 100_000 };
/** So long the rules read at a time, in milliseconds, and what else waits in the lane comes in between. */
const PIECE = 1_000;
/** Turns before the ones that are read, for who "she" is and what was asked. */
const CONTEXT = 12;
/** A model is asked from so many user turns on, or for fewer when their thread is over; and for so many at once. */
const MODEL_TURNS = { least: 5, most: 20 };

/**
 * Learns facts from a user's new turns (requirements 9.7): by the built-in rules after every message, by a model for five
 * user turns or when a thread is over. What it learns is weighed against what is known, on the time when it was said.
 * @param turnId one turn that is to be read again; 0: what is new
 */
export async function extractFacts(ctx: Context, userId: string, turnId = 0): Promise<StepOutcome> {
  if (turnId > 0) return readAgain(ctx, userId, turnId);
  const read = await ctx.memory(userId).read(async (memory) => {
    const pending = await memory.indexProgress.pending(PROGRESS, BATCH);
    const places = await memory.turns.places(pending.turns.map(({ id }) => id));
    const stretches = places
      .filter(({ role }) => role === 'USER')
      .map(({ threadId, number }) => ({ threadId, from: number - CONTEXT, to: number }));
    return {
      pending,
      places,
      around: stretches.length > 0 ? await memory.turns.inStretches(stretches, readBy(ctx)) : [],
      held: await memory.facts.held({ keys: [], values: [] }),
      last: (await memory.facts.counters()).last,
    };
  });
  const { pending, places, around, held, last } = read;
  if (pending.turns.length === 0) return 'done';
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
    held,
    last,
    within,
  });
  const unread = count < groups.length ? fresh[count] : undefined;
  const seen = { ...pending, turns: pending.turns.filter(({ id }) => !unread || id < unread.id) };
  if (!(await save(ctx, userId, { pending: seen, candidates, last }))) return 'again';
  return unread || pending.more ? 'again' : 'done';
}

/** User turns of one thread that are read together, in the order in which they were received. */
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
    const turns = around.filter(
      (turn) => turn.threadId === threadId && turn.number >= first - CONTEXT && turn.number <= last,
    );
    return { turns, contextTurns: turns.filter(({ number }) => number < first).length };
  });
}

/** The same in fewer requests: a thread that is read from its beginning can stand behind another one. */
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

/** @returns false when facts were added meanwhile: the ids that were given would be others */
async function save(
  ctx: Context,
  userId: string,
  {
    pending,
    candidates,
    last,
  }: { pending: Pending; candidates: readonly FoundCandidate[]; last: number },
): Promise<boolean> {
  const through = pending.turns.at(-1)?.id ?? pending.through;
  return ctx.memory(userId).write(async (memory) => {
    if ((await memory.facts.counters()).last !== last) return false;
    if (!(await memory.indexProgress.advance(PROGRESS, pending, through))) {
      throw new ErasedMeanwhile();
    }
    if (candidates.length > 0) await reconcileCandidates(ctx, memory, candidates);
    return true;
  });
}
